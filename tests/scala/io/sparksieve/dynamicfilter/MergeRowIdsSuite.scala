// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.dynamicfilter

import org.apache.spark.sql.catalyst.dsl.expressions._
import org.apache.spark.sql.catalyst.dsl.plans._
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.expressions.Literal.TrueLiteral
import org.apache.spark.sql.catalyst.plans._
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.delta.commands.merge.RecordFile
import org.apache.spark.sql.types.IntegerType

import io.sparksieve.dynamicfilter.optimize.MergeRowIds

/** Which row ids are those of a MERGE: the exact form, and what differs from it in one thing. */
class MergeRowIdsSuite extends PlanTest {

  private val target = LocalRelation("id".attr.long, "v".attr.int)
  private val source = LocalRelation("key".attr.long)
  private val rowId = Alias(MonotonicallyIncreasingID(), "__row_id")()

  /** The plan of a MERGE by Spark, and whether its row id may stand above a filter. */
  private def spark(
      id: Alias = rowId,
      joinType: JoinType = RightOuter,
      checks: Boolean = true,
      on: Attribute => Seq[Expression] = _ => Nil,
      above: Attribute => Expression = _ => TrueLiteral,
      kept: Attribute => Expression = _ => TrueLiteral,
      swapped: Boolean = false): Boolean = {
    val numbered = target.select(target.output :+ id: _*).where(kept(id.toAttribute))
    val condition =
      (on(id.toAttribute) :+ EqualTo(target.output.head, source.output.head)).reduce(And)
    val (left, right) = if (swapped) (source, numbered) else (numbered, source)
    val join = Join(left, right, joinType, Some(condition), JoinHint.NONE)
    val output = target.output.map(_.newInstance())
    MergeRowIds(MergeRows(TrueLiteral, above(id.toAttribute), Nil, Nil, Nil, checks, output, join))
      .allows(id)
  }

  test("of Spark") {
    assert(spark())
    assert(spark(joinType = Inner))
    assert(spark(kept = _ => IsNotNull(target.output.head)))
  }

  test("not of Spark: another name, expression or join, or a use of the id") {
    assert(!spark(Alias(MonotonicallyIncreasingID(), "row_id")()))
    assert(!spark(Alias(Add(MonotonicallyIncreasingID(), Literal(1L)), "__row_id")()))
    assert(!spark(Alias(SparkPartitionID(), "__row_id")()))
    assert(!spark(joinType = FullOuter))
    assert(!spark(joinType = LeftOuter))
    assert(!spark(checks = false))
    assert(!spark(swapped = true))
    assert(!spark(on = id => Seq(id < source.output.head)))
    assert(!spark(above = id => id < 7L))
    assert(!spark(kept = id => id < 7L))
    assert(!MergeRowIds(target.select(rowId)).allows(rowId))
  }

  private val deltaId = Alias(MonotonicallyIncreasingID(), "_row_id_")()
  private val fileName = Alias(InputFileName(), "_file_name_")()

  private def record(file: Expression, condition: Expression, f: AnyRef = new RecordFile) =
    ScalaUDF(f, IntegerType, Seq(file, condition), Nil, udfDeterministic = false)

  /** The plan of Delta's search for touched files, and whether a filter may stand below it. */
  private def delta(
      id: Alias = deltaId,
      file: Alias = fileName,
      joinType: JoinType = Inner,
      one: Expression = record(fileName.toAttribute, TrueLiteral),
      counted: Attribute => Seq[NamedExpression] = _ => Nil,
      on: Attribute => Seq[Expression] = _ => Nil): Boolean = {
    val named = target
      .select(target.output :+ id: _*)
      .select(target.output ++ Seq(id.toAttribute, file): _*)
      .where(IsNotNull(target.output.head))
    val condition =
      (on(id.toAttribute) :+ EqualTo(target.output.head, source.output.head)).reduce(And)
    val ones = Alias(one, "one")()
    val recorder =
      Project(
        Seq(id.toAttribute, ones),
        Join(source, named, joinType, Some(condition), JoinHint.NONE))
    val aggregates = Alias(sum(ones.toAttribute), "count")() +: counted(id.toAttribute)
    val counts = recorder.groupBy(id.toAttribute)(aggregates: _*)
    val found = MergeRowIds(counts)
    assert(found.allows(id) == found.recordsFiles(recorder))
    assert(found.allows(file) == found.allows(id))
    found.allows(id)
  }

  test("of Delta") {
    assert(delta())
    val condition = target.output(1) < 7
    val call = record(fileName.toAttribute, condition)
    assert(delta(one = call))
    assert(delta(one = If(IsNull(condition), Literal(null, IntegerType), call)))
  }

  test("not of Delta: another name, expression, join or function, or a use of the id") {
    assert(!delta(id = Alias(MonotonicallyIncreasingID(), "id")()))
    assert(!delta(id = Alias(SparkPartitionID(), "_row_id_")()))
    val other = Alias(InputFileName(), "file")()
    assert(!delta(file = other, one = record(other.toAttribute, TrueLiteral)))
    assert(!delta(joinType = RightOuter))
    assert(!delta(one = record(fileName.toAttribute, TrueLiteral, (_: Any, _: Any) => 1)))
    assert(!delta(one = record(fileName.toAttribute, Rand(7L) < 0.5)))
    assert(!delta(one = record(fileName.toAttribute, deltaId.toAttribute < 7L)))
    val call = record(fileName.toAttribute, TrueLiteral)
    assert(!delta(one = If(IsNull(deltaId.toAttribute), Literal(null, IntegerType), call)))
    assert(!delta(one = If(Rand(7L) < 0.5, Literal(null, IntegerType), call)))
    assert(!delta(one = Rand(7L)))
    assert(!delta(counted = id => Seq(id)))
    assert(!delta(on = id => Seq(id < source.output.head)))
  }
}
