# SPDX-License-Identifier: Apache-2.0
"""What `run.py` breaks in the feature rangesource: its guards, one at a time."""

from mutation import Mutation


MUTATIONS = [
    Mutation(
        "rangesource: NULL in a list",
        "Comparisons.scala",
        "if (values.contains(null)) listed.copy(whenFalse = Never) else listed",
        "if (values.isEmpty) listed.copy(whenFalse = Never) else listed",
        ["FilterInterpreterSuite"],
    ),
    Mutation(
        "rangesource: comparison with NULL",
        "Comparisons.scala",
        "if (value == null) TruthConditions.Null\n",
        "if (value == null) TruthConditions.False\n",
        ["FilterInterpreterSuite"],
    ),
    Mutation(
        "rangesource: NOT of an AND",
        "TruthConditions.scala",
        "TruthConditions(and(whenTrue, other.whenTrue), or(whenFalse, other.whenFalse))",
        "TruthConditions(and(whenTrue, other.whenTrue), and(whenFalse, other.whenFalse))",
        ["FilterInterpreterSuite"],
    ),
    Mutation(
        "rangesource: half-open bounds of decimals",
        "Comparisons.scala",
        "whole(number, RoundingMode.CEILING).subtract(BigInteger.ONE)",
        "whole(number, RoundingMode.FLOOR).subtract(BigInteger.ONE)",
        ["FilterInterpreterSuite"],
    ),
    Mutation(
        "rangesource: a root that is one too large",
        "RangeColumn.scala",
        "while (value(key).compareTo(bound) > 0) key -= 1",
        "",
        ["FilterInterpreterSuite"],
    ),
    Mutation(
        "rangesource: an opaque filter is answered",
        "FilterInterpreter.scala",
        "case _ if condition.isOpaque => EvaluatedBy.Spark",
        "case _ if condition.isOpaque => EvaluatedBy.Adapter",
        ["FilterInterpreterSuite"],
    ),
    Mutation(
        "rangesource: an evaluated filter is taken for the engine's",
        "FilterInterpreter.scala",
        "case Pushdown.Push if condition.isOfKey => EvaluatedBy.Engine",
        "case Pushdown.Push => EvaluatedBy.Engine",
        ["FilterInterpreterSuite", "DocumentSuite"],
    ),
    Mutation(
        "rangesource: neighbouring ranges",
        "RangeSet.scala",
        "case Some(before) if range.low <= before.high + 1 =>",
        "case Some(before) if range.low <= before.high =>",
        ["FilterInterpreterSuite"],
    ),
    Mutation(
        "rangesource: LIMIT although Spark filters",
        "FilterInterpreter.scala",
        "if (residual.isEmpty) Some(known.keys(options.keyRange)) else None",
        "Some(known.keys(options.keyRange))",
        ["FilterInterpreterSuite", "LimitPushDownSuite"],
    ),
    Mutation(
        "rangesource: LIMIT of one task taken for that of all",
        "RangeDbScanBuilder.scala",
        "partially = options.partitions > 1",
        "partially = false",
        ["LimitPushDownSuite"],
    ),
    Mutation(
        "rangesource: descending order taken for done",
        "RangeDbScanBuilder.scala",
        "partially = pushed && !(ascending && options.partitions == 1)",
        "partially = false",
        ["LimitPushDownSuite"],
    ),
    Mutation(
        "rangesource: the first keys for a descending order",
        "RangeDbScanBuilder.scala",
        "select(_.takeRight(limit.toLong))",
        "select(_.take(limit.toLong))",
        ["LimitPushDownSuite"],
    ),
    Mutation(
        "rangesource: an offset over aggregates",
        "RangeDbScanBuilder.scala",
        "aggregate.isEmpty && !partially",
        "!partially",
        ["PushDownSuite"],
    ),
    Mutation(
        "rangesource: groups",
        "RangeDbAggregate.scala",
        "if (aggregation.groupByExpressions.nonEmpty || computed.exists(_.isEmpty)) None",
        "if (computed.exists(_.isEmpty)) None",
        ["PushDownSuite"],
    ),
    Mutation(
        "rangesource: run-time filters below a limit",
        "RangeDbScan.scala",
        "if (selected.isEmpty && partitionLimit.isEmpty && options.pushdown != Pushdown.Leave)",
        "if (options.pushdown != Pushdown.Leave)",
        ["RuntimeFilterSuite", "LimitPushDownSuite"],
    ),
    Mutation(
        "rangesource: a run-time filter that stays",
        "RangeDbScan.scala",
        "    atRunTime.remove()\n",
        "",
        ["RuntimeFilterSuite"],
    ),
    Mutation(
        "rangesource: run-time filters of other columns",
        "RangeDbScan.scala",
        "schema.fieldNames.filter(RangeColumn.named(_).contains(RangeColumn.Key)).map(column)",
        "schema.fieldNames.filter(RangeColumn.named(_).nonEmpty).map(column)",
        ["RuntimeFilterSuite"],
    ),
    Mutation(
        "rangesource: equality without the limit",
        "RangeDbBatch.scala",
        "    limit: Option[Int])\n    extends Batch {\n",
        "    limit: Option[Int])\n    extends Batch {\n"
        "  override def equals(o: Any): Boolean = o match {\n"
        "    case b: RangeDbBatch => b.keys == keys\n    case _ => false\n  }\n"
        "  override def hashCode: Int = keys.hashCode\n",
        ["PushDownSuite"],
    ),
    Mutation(
        "rangesource: cubes beyond a BIGINT",
        "RangeColumn.scala",
        "if (rows <= RangeDb.MaxLongCube) LongType else WideCube",
        "LongType",
        ["rangesource.OptionsSuite"],
    ),
    Mutation(
        "rangesource: rows beyond an INT",
        "RangeDbOptions.scala",
        ".filter(n => n >= least && n <= RangeDb.MaxRows)",
        ".filter(n => n >= least)",
        ["rangesource.OptionsSuite"],
    ),
    Mutation(
        "rangesource: reading with other columns than the table has",
        "RangeDbTable.scala",
        "if (wanted.rows != options.rows || wanted.nested != options.nested)",
        "if (wanted.rows != options.rows && wanted.nested != options.nested)",
        ["rangesource.OptionsSuite"],
    ),
    Mutation(
        "rangesource: two tables taken for one",
        "SameTable.scala",
        "case (l: UnchangingTable, r) if l == r => None",
        "case (_: UnchangingTable, _) => None",
        ["FeaturesSuite"],
    ),
]
