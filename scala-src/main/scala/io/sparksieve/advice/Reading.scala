// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.advice

import scala.collection.mutable
import scala.util.Try

import org.apache.spark.sql.catalyst.expressions.{
  Attribute,
  AttributeReference,
  BindReferences,
  Expression,
  GenericInternalRow,
  IsNotNull,
  Predicate
}
import org.apache.spark.sql.sieve.Translation
import org.apache.spark.sql.sources.Filter

import io.sparksieve.advice.layout.{ReadCondition, Shares, TableLayout}
import io.sparksieve.advice.table.AdvisedTable
import io.sparksieve.advice.workload.{
  Coding,
  ColumnRange,
  ComparedColumns,
  Condition,
  Conditions,
  TableRead
}
import io.sparksieve.report.core.PredicateText

/**
 * A query's scan of a table, as conditions on files and row groups.
 *
 * @param query
 *   the id of the query
 * @param weight
 *   the time of the query's runs in seconds, or 1 if no time is known
 */
private[advice] final class Reading(
    val query: Int,
    val weight: Double,
    val read: TableRead,
    columns: ComparedColumns,
    table: AdvisedTable) {

  private val onFiles = new Conditions(columns, table.fileLists)
  private val onGroups = new Conditions(columns, table.rowGroupLists)

  private val tests: Seq[Reading.Test] = read.predicates.map { predicate =>
    val filter = Reading.filter(predicate).flatMap(table.used)
    new Reading.Test(
      predicate,
      filter.fold[Condition](Condition.Anything)(onFiles(_)),
      filter.fold[Condition](Condition.Anything)(onGroups(_)),
      Reading.exactly(predicate, columns)
    )
  }

  private val base = ReadCondition(
    Condition.all(tests.map(_.files) ++ read.keys.map(onFiles.keys)),
    if (table.skipsRowGroups)
      Condition.all(tests.map(_.rowGroups) ++ read.keys.map(onGroups.keys))
    else Condition.Anything
  )

  /**
   * The columns by whose ranges data may be skipped.
   *
   * @param withNulls
   *   the columns that have NULLs, which IS NOT NULL may skip
   */
  def columnsUsed(withNulls: Set[Int]): Set[Int] = {
    val notNull = read.predicates.collect { case IsNotNull(a: Attribute) => a.name }
    base.columns ++ notNull.flatMap(columns.index).filter(withNulls)
  }

  /** The columns that would skip if they were directories. */
  def columnsInDirectories: Set[Int] = tests.flatMap(_.exact.columns).toSet

  /** @param directories the columns for each of whose values there is a directory */
  def condition(directories: Set[Int]): ReadCondition = {
    val exact =
      tests.map(_.exact).filter(e => e.columns.nonEmpty && e.columns.subsetOf(directories))
    if (exact.isEmpty) base else base.copy(files = Condition.all(base.files +: exact))
  }

  /** What the query reads of the present files. */
  def today(layout: TableLayout, directories: Set[Int]): Shares = table.listed(read) match {
    case Some(files) => layout.read(condition(directories), files)
    case None => layout.read(condition(directories))
  }

  def describe(share: Double, today: Shares): QueryRead = {
    val (used, unused) = tests
      .filterNot(_.predicate.isInstanceOf[IsNotNull])
      .partition(t => t.files.columns.nonEmpty || t.rowGroups.columns.nonEmpty)
    QueryRead(
      query,
      share,
      used.map(_.text).distinct,
      read.keys.map(_.text).distinct,
      unused.map(_.text).distinct,
      today)
  }
}

private[advice] object Reading {

  /** Spark's own translation for sources. */
  def filter(predicate: Expression): Option[Filter] = Translation.v1(predicate, nested = true)

  /** @param exact the condition if the columns were directories */
  private final class Test(
      val predicate: Expression,
      val files: Condition,
      val rowGroups: Condition,
      val exact: Condition) {
    def text: String = PredicateText(predicate)
  }

  /** For directories Spark evaluates the predicate itself, whatever it is. */
  private def exactly(predicate: Expression, columns: ComparedColumns): Condition = {
    val attributes = predicate.references.toSeq
    val indices = attributes.flatMap(a => columns.index(a.name))
    if (indices.isEmpty || indices.size < attributes.size) Condition.Anything
    else {
      val named = predicate.transform { case a: AttributeReference =>
        attributes.find(_.name == a.name).get
      }
      val test = Predicate.createInterpreted(BindReferences.bindReference(named, attributes))
      new Exactly(
        indices,
        values => {
          val row = values.zip(indices).map { case (code, i) =>
            if (code == null) null else columns.codings(i).decode(code)
          }
          // The values of in_file are read again here, and their file may be gone.
          Try(test.eval(new GenericInternalRow(row.toArray[Any]))).getOrElse(true)
        }
      )
    }
  }

  /** A predicate on columns that have one value in each file. */
  private final class Exactly(indices: Seq[Int], holds: Seq[AnyRef] => Boolean) extends Condition {

    private val known = mutable.Map.empty[Seq[AnyRef], Boolean]

    override val columns: Set[Int] = indices.toSet

    override def mayHold(ranges: Array[ColumnRange]): Boolean = {
      val mine = indices.map(ranges(_))
      val values = mine.map(r => if (r.hasValues) r.low else null)
      val isOne = mine.forall { r =>
        !r.hasValues || r.isKnown && !r.hasNulls && Coding.compare(r.low, r.high) == 0
      }
      !isOne || known.getOrElseUpdate(values, holds(values))
    }
  }
}
