// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bulkfilter.optimize

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans._
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.types.BooleanType

import io.sparksieve.bulkfilter.expr.InFile
import io.sparksieve.bulkfilter.load.{
  KeysTooLargeException,
  ProjectedKeySets,
  ReadKeys,
  RefuseValue
}
import io.sparksieve.bulkfilter.source.{KeyCast, KeyColumn, KeySource}

/** Joins rows with the values of files, which are the right side of the joins. */
private[bulkfilter] final class LargeValues(session: SparkSession) {

  /** Joins rows on some columns of a leaf's key. A key with a NULL in them has no match. */
  def join(rows: LogicalPlan, leaf: InFile, columns: Seq[Int], kind: JoinType): LogicalPlan = {
    val made = values(leaf)
    val condition = columns
      .map(i => EqualTo(leaf.keys(i), made.output(i)): Expression)
      .reduce(And(_, _))
    Join(rows, made, kind, Some(condition), JoinHint.NONE)
  }

  /** Adds the existence columns that a leaf's answer needs to the rows; also returns the answer. */
  def exists(rows: LogicalPlan, leaf: InFile): (LogicalPlan, Expression) = {
    val (whole, found) = existence(rows, leaf, leaf.keys.indices)
    val nullable = leaf.keys.indices.filter(leaf.keys(_).nullable)
    if (leaf.keys.size == 1)
      (whole, if (leaf.nullable) If(IsNull(leaf.keys.head), Unknown, found) else found)
    else if (nullable.size > ProjectedKeySets.MostNullable)
      refuse(
        leaf,
        s"${nullable.size} columns of its key may be NULL, and more than ${ProjectedKeySets.MostNullable} are not joined")
    else if (nullable.nonEmpty && leaf.members.leaves.exists(_.entry.forall(_.files.isEmpty)))
      refuse(
        leaf,
        "columns of its key may be NULL, so that several joins would read a source that need not " +
          "have the same rows each time")
    else
      nullable.toSet.subsets().filter(_.nonEmpty).foldLeft((whole, found: Expression)) {
        case ((plan, otherwise), nulls) =>
          val known = leaf.keys.indices.filterNot(nulls)
          val (next, partner) = existence(plan, leaf, known)
          val isCase = leaf.keys.indices
            .map(i => if (nulls(i)) IsNull(leaf.keys(i)) else IsNotNull(leaf.keys(i)): Expression)
            .reduce(And(_, _))
          (next, If(isCase, If(partner, Unknown, Literal.FalseLiteral), otherwise))
      }
  }

  private def existence(
      rows: LogicalPlan,
      leaf: InFile,
      columns: Seq[Int]): (LogicalPlan, Expression) = {
    val found = AttributeReference("exists", BooleanType, nullable = false)()
    if (columns.nonEmpty) (join(rows, leaf, columns, ExistenceJoin(found)), found)
    else {
      // Tests whether there is any row at all, so one row is enough.
      val one = Limit(Literal(1), values(leaf))
      (Join(rows, one, ExistenceJoin(found), Some(Literal.TrueLiteral), JoinHint.NONE), found)
    }
  }

  private def values(leaf: InFile): LogicalPlan = {
    val source = leaf.members.leaves.head.source
    val rows = ReadKeys.open(session, source.place).queryExecution
    // The optimized plan: the optimizer batches that remove table aliases and views, and rewrite
    // DISTINCT and the like, have already run on the query.
    val child = rows.optimizedPlan
    // The optimizer may give a column another id: it removes the alias of `SELECT k AS k`.
    val ids = AttributeMap(rows.analyzed.output.zip(child.output))
    val raws = ReadKeys.raws(session, source, rows.analyzed).map(ids)
    val made = raws.zip(source.columns).map { case (raw, column) =>
      Alias(checked(raw, column, source), column.name)()
    }
    val project = Project(made, child)
    Filter(project.output.map(IsNotNull(_): Expression).reduce(And(_, _)), project)
  }

  private def checked(raw: Expression, column: KeyColumn, source: KeySource): Expression = {
    val value = KeyCast.value(raw, column)
    if (source.skipsInvalid || !KeyCast.isChecked(column)) value
    else {
      val text = ReadKeys.text(raw, session)
      If(And(IsNull(value), IsNotNull(raw)), RefuseValue(text, column, source), value)
    }
  }

  private def refuse(leaf: InFile, why: String): Nothing =
    KeysTooLargeException.refuse(session, leaf.members.leaves, why)

  private def Unknown = Literal(null, BooleanType)
}
