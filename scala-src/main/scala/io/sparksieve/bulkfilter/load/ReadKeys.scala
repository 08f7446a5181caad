// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bulkfilter.load

import java.util.concurrent.TimeUnit

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.{DataFrame, SparkSession}
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, Project}
import org.apache.spark.sql.execution.QueryExecution
import org.apache.spark.sql.types.StringType

import io.sparksieve.bulkfilter.source.{
  FileColumns,
  FilePlace,
  KeyCast,
  KeyFileException,
  KeyPlace,
  KeySource,
  TableColumns,
  TablePlace
}
import io.sparksieve.compat.SparkCompat
import io.sparksieve.keyset.{KeySetBuilder, SharedKeys}
import io.sparksieve.keyset.build.KeySets

/**
 * Reads values with Spark's own readers. Each task collects sets of the values in its partition.
 * The driver merges these sets; if they are too many, the tasks of a second stage merge them first.
 */
private[bulkfilter] object ReadKeys {

  /** The rows of a place. */
  def open(session: SparkSession, place: KeyPlace): DataFrame = place match {
    case files: FilePlace => FileColumns.open(session, files)
    case table: TablePlace => TableColumns.open(session, table)
  }

  /**
   * Reads the values of sources of one place, which is read once.
   *
   * @param bounds
   *   for each source, the most bytes that all its parts take together, if known
   * @throws InvalidKeyException
   *   for a value that is invalid for the key's type, unless its source skips such values
   */
  def apply(
      session: SparkSession,
      sources: Seq[KeySource],
      bounds: Seq[Option[Long]],
      caps: Caps): Seq[LoadOutcome] = {
    val start = System.nanoTime()
    val (query, layouts) = project(session, sources)
    val found = collected(session, query, layouts, caps)
    val sent = if (mayBeSent(bounds, caps)) found else merged(found, layouts, caps)
    val parts = sent.collect().map(KeyPart.decode)
    sources.indices.map { i =>
      val whole = new KeySetMerger(layouts(i), caps)
      parts.foreach(part => whole.add(part(i)))
      whole.bad.foreach(bad => throw InvalidKeyException(sources(i), bad))
      whole.keys match {
        case None => OverCap(caps.leafBytes)
        case Some(keys) =>
          val millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start)
          val shared = SharedKeys(session.sparkContext, keys)
          LoadedKeys(shared, whole.stats(millis))
      }
    }
  }

  /**
   * A query with the values of each source side by side. After the values of a source that needs
   * checks follow a column that is true if any value of the row was NULL, and for each value a
   * column with its text if it is invalid.
   */
  private def project(
      session: SparkSession,
      sources: Seq[KeySource]): (QueryExecution, Seq[KeyLayout]) = {
    val child = open(session, sources.head.place).queryExecution.analyzed
    val parts = sources.map { source =>
      val raws = this.raws(session, source, child)
      val values = raws.zip(source.columns).map { case (raw, c) => KeyCast.value(raw, c) }
      if (!source.columns.exists(KeyCast.isChecked)) (values, None)
      else {
        val wasNull = raws.map(IsNull(_): Expression).reduce(Or(_, _))
        val bads = raws.zip(values).map { case (raw, value) =>
          If(And(IsNull(value), IsNotNull(raw)), text(raw, session), Literal(null, StringType))
        }
        (values, Some(Seq(wasNull) ++ bads))
      }
    }
    val layouts = parts
      .zip(sources)
      .scanLeft((0, Option.empty[KeyLayout])) { case ((offset, _), ((values, checks), source)) =>
        val layout = KeyLayout(offset, source, checks.map(_ => offset + values.size))
        (offset + values.size + checks.fold(0)(_.size), Some(layout))
      }
      .flatMap(_._2)
    val all = parts.flatMap { case (values, checks) => values ++ checks.getOrElse(Nil) }
    val named = all.zipWithIndex.map { case (e, i) => Alias(e, s"c$i")() }
    (SparkCompat.plan(session, Project(named, child)), layouts)
  }

  /** The columns of a source among the output of its place. */
  def raws(session: SparkSession, source: KeySource, child: LogicalPlan): Seq[Attribute] = {
    val resolver = SparkCompat.conf(session).resolver
    source.columns.map { c =>
      child.output
        .find(a => resolver(a.name, c.name))
        .getOrElse(
          KeyFileException.fail(
            source.function,
            s"${source.place.name} has no column ${c.name} any more; run the query again."))
    }
  }

  /** Casts a value to text, for error messages. */
  def text(raw: Expression, session: SparkSession): Expression =
    if (raw.dataType == StringType) raw
    else
      Cast(raw, StringType, Some(SparkCompat.conf(session).sessionLocalTimeZone), EvalMode.LEGACY)

  private def collected(
      session: SparkSession,
      query: QueryExecution,
      layouts: Seq[KeyLayout],
      caps: Caps): RDD[Array[Byte]] = {
    def each[T](parts: Iterator[T])(add: (KeyCollector, T) => Unit): Array[Byte] = {
      val tasks = layouts.map(new KeyCollector(_, caps))
      val first = tasks.head
      if (tasks.size == 1) while (first.wants && parts.hasNext) add(first, parts.next())
      else
        while (parts.hasNext && tasks.exists(_.wants)) {
          val part = parts.next()
          tasks.foreach(add(_, part))
        }
      KeyPart.encode(tasks.map(_.result))
    }
    KeyRows.map(session, query)(each(_)(_.add(_)), each(_)(_.addBatch(_)))
  }

  /**
   * Whether all parts may be sent to the driver, however many there are. The bound of a source is a
   * sum over its rows, so it also bounds the sum of its parts.
   */
  private def mayBeSent(bounds: Seq[Option[Long]], caps: Caps): Boolean =
    bounds.forall(_.nonEmpty) && bounds.flatten.sum <= caps.resultBytes

  /** Merges the parts into so few that all may be sent to the driver. */
  private def merged(
      parts: RDD[Array[Byte]],
      layouts: Seq[KeyLayout],
      caps: Caps): RDD[Array[Byte]] = {
    val allowed = math.max(1L, caps.resultBytes / caps.leafBytes / layouts.size)
    if (parts.getNumPartitions <= allowed) parts
    else
      parts.coalesce(allowed.toInt, shuffle = true).mapPartitions { some =>
        val wholes = layouts.map(new KeySetMerger(_, caps))
        some.foreach(
          KeyPart.decode(_).zip(wholes).foreach { case (part, whole) => whole.add(part) })
        Iterator.single(KeyPart.encode(wholes.map(_.result)))
      }
  }
}

/**
 * The columns that hold the values of a source in the rows that are read.
 *
 * @param offset
 *   the index of the column with the first value
 * @param checks
 *   the index of the column that says whether a value was NULL, after which follow the columns with
 *   invalid values; None if all values are valid
 */
private[bulkfilter] final case class KeyLayout(
    offset: Int,
    source: KeySource,
    checks: Option[Int]) {

  def builder(caps: Caps): KeySetBuilder =
    KeySets.builder(source.keyTypes, Long.MaxValue, caps.leafBytes)
}
