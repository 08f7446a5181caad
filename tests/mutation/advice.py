# SPDX-License-Identifier: Apache-2.0
"""What `run.py` breaks in the advice on layouts, one at a time."""

from mutation import Mutation

CONDITIONS = ["ConditionSuite"]
ARRANGEMENT = ["ArrangementSuite"]
ESTIMATE = ["RangeEstimateSuite"]
PARQUET = ["ParquetAdviceSuite"]
SMOKE = ["AdviceSmokeSuite"]
SESSION = ["SessionReadsSuite"]

MUTATIONS = [
    Mutation(
        "advice: Condition: an open bound is closed",
        "advice/workload/Condition.scala",
        "c > 0 || c == 0 && !open",
        "c >= 0 && (open || !open)",
        CONDITIONS,
    ),
    Mutation(
        "advice: Condition: <> skips row groups with NULLs",
        "advice/workload/Condition.scala",
        "range.hasNulls || !range.isKnown || Coding.compare(range.low, value) != 0 ||",
        "!range.isKnown || Coding.compare(range.low, value) != 0 ||",
        CONDITIONS,
    ),
    Mutation(
        "advice: Condition: a row group of NULLs may hold a value",
        "advice/workload/Condition.scala",
        "range.hasValues && (!range.isKnown || within(range.low, range.high))",
        "(!range.isKnown || within(range.low, range.high))",
        CONDITIONS,
    ),
    Mutation(
        "advice: Conditions: a long list is tested value by value",
        "Conditions.scala",
        "else if (values.length <= lists.most) new Condition.InRanges(i, sorted.toArray, sorted.toArray)",
        "else if (values.length > 0) new Condition.InRanges(i, sorted.toArray, sorted.toArray)",
        CONDITIONS,
    ),
    Mutation(
        "advice: Conditions: NOT of OR is an OR",
        "Conditions.scala",
        "case Or(left, right) => Condition.All(Seq(negated(left), negated(right)))",
        "case Or(left, right) => Condition.Any(Seq(negated(left), negated(right)))",
        CONDITIONS,
    ),
    Mutation(
        "advice: ParquetLayout: files are known to have no NULLs",
        "ParquetLayout.scala",
        "val nulls = !statistics.isNumNullsSet || statistics.getNumNulls > 0",
        "val nulls = !statistics.isNumNullsSet && statistics.getNumNulls > 0",
        CONDITIONS,
    ),
    Mutation(
        "advice: Coding: negative numbers are ordered as their bits",
        "Coding.scala",
        "if (bits < 0) bits ^ Long.MaxValue else bits",
        "if (bits < 0) bits else bits",
        CONDITIONS,
    ),
    Mutation(
        "advice: Arrangement: equal keys are cut apart",
        "Arrangement.scala",
        "while (end < to && keys(order(end)) == keys(order(i))) end += 1",
        "while (end < from && keys(order(end)) == keys(order(i))) end += 1",
        ARRANGEMENT,
    ),
    Mutation(
        "advice: Arrangement: row groups of equal size",
        "Arrangement.scala",
        "(from + math.round(g * perGroup).toInt, end)",
        "(from + (ends(f) - from) * g / count, end)",
        ARRANGEMENT,
    ),
    Mutation(
        "advice: RangeEstimate: a group has only the values of its sample",
        "RangeEstimate.scala",
        "Unseen * (all.toDouble / own - 1) * (1 - 1 / scale)",
        "0.0 * (all.toDouble / own - 1) * (1 - 1 / scale)",
        ESTIMATE,
    ),
    Mutation(
        "advice: RangeEstimate: values that no group nearby has",
        "RangeEstimate.scala",
        "column.code(math.min(own.greatest, near.map(_.high).max)),",
        "column.code(own.greatest),",
        ESTIMATE,
    ),
    Mutation(
        "advice: RankedColumn: a range that ends where a part of a sample has no row",
        "advice/layout/Sample.scala",
        "while (next > rank + 1 && below(next - 1) == below(next)) next -= 1",
        "while (next > cardinality && below(next - 1) == below(next)) next -= 1",
        ESTIMATE,
    ),
    Mutation(
        "advice: KeyRanks: the curve goes through one column after the other",
        "KeyRanks.scala",
        "numbers.foreach(n => key = (key << 1) | ((n(row) >>> bit) & 1L))",
        "numbers.reverse.foreach(n => key = (key << 1) | ((n(row) >>> bit) & 1L))",
        ARRANGEMENT,
    ),
    Mutation(
        "advice: TableLayout: a file without a row group to read is read",
        "TableLayout.scala",
        "if (any) filesRead += 1",
        "if (any || file.rowGroups.nonEmpty) filesRead += 1",
        PARQUET,
    ),
    Mutation(
        "advice: Reading: predicates on directories alone are not evaluated",
        "Reading.scala",
        "if (exact.isEmpty) base else base.copy(files = Condition.all(base.files +: exact))",
        "if (exact.isEmpty) base else base.copy(files = Condition.all(Seq(base.files)))",
        PARQUET,
    ),
    Mutation(
        "advice: Choice: each layout is better",
        "Choice.scala",
        "before.bytes - best.read.bytes - best.uncertainty >= LeastGain",
        "before.bytes - best.read.bytes - best.uncertainty >= -LeastGain",
        PARQUET,
    ),
    Mutation(
        "advice: SessionReads: runs of one query do not add up",
        "SessionReads.scala",
        "1 + before.fold(0)(_.runs)",
        "1 + before.fold(0)(_ => 0)",
        SMOKE,
    ),
    Mutation(
        "advice: ReadsOf: keys of joins are not found",
        "ReadsOf.scala",
        "TableRead(table, constant(predicates), found.narrowedBy.toSeq.flatMap(keys))",
        "TableRead(table, constant(predicates), found.narrowedBy.toSeq.flatMap(keys).take(0))",
        SMOKE,
    ),
    Mutation(
        "advice: SessionReads: large constants are kept for all queries",
        "LastUsed.scala",
        "while (total > maxBytes && size > 1)",
        "while (total > maxBytes && total < 0 && size > 1)",
        [*SESSION, "RunsSuite"],
    ),
    Mutation(
        "advice: ConstantBytes: a set of values counts as a node",
        "ConstantBytes.scala",
        "values.iterator.map(ofValue(_, child.dataType)).sum",
        "values.iterator.map(ofValue(_, child.dataType)).take(1).sum",
        SESSION,
    ),
    Mutation(
        "advice: Reading: a predicate that cannot be evaluated ends the advice",
        "Reading.scala",
        "Try(test.eval(new GenericInternalRow(row.toArray[Any]))).getOrElse(true)",
        "Try(test.eval(new GenericInternalRow(row.toArray[Any]))).get",
        SESSION,
    ),
    Mutation(
        "report: PredicateText: a long list ends after a few values",
        "PredicateText.scala",
        "In(value, set.iterator.take(MaxLength)",
        "In(value, set.iterator.take(9)",
        SESSION,
    ),
    Mutation(
        "advice: LastingPredicate: functions of users are kept",
        "LastingPredicate.scala",
        "case _: UserDefinedExpression => false",
        "case _: UserDefinedExpression => true",
        SESSION,
    ),
    Mutation(
        "advice: LastingPredicate: objects whose methods are called are kept",
        "LastingPredicate.scala",
        "!name.startsWith(Objects) && ",
        "",
        ["LastingPredicateSuite"],
    ),
    Mutation(
        "advice: ConstantBytes: paths take no memory",
        "ConstantBytes.scala",
        "map(PerValue + _.length).sum",
        "map(PerValue + _.length).sum * 0",
        SESSION,
    ),
]
