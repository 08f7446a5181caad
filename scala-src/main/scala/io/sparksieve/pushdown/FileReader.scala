// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.pushdown

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.sieve.Translation
import org.apache.spark.sql.sources._
import org.apache.spark.sql.types._

import io.sparksieve.report.core.{Layer, NotPushedReason}

/** The reader of a file format, and how it handles a filter that it is offered. */
private[pushdown] trait FileReader {

  /** @param predicate the expression that `filter` was translated from */
  def apply(filter: Filter, predicate: Expression): Source.Answer
}

private[pushdown] object FileReader {

  /** The parts of a filter that AND, OR and NOT connect. */
  def leaves(filter: Filter): Seq[Filter] = filter match {
    case And(left, right) => leaves(left) ++ leaves(right)
    case Or(left, right) => leaves(left) ++ leaves(right)
    case Not(child) => leaves(child)
    case leaf => Seq(leaf)
  }

  /** Whether a filter has a collation. Spark 3.5 has neither collations nor such filters. */
  def isCollated(filter: Filter): Boolean =
    leaves(filter).exists(_.getClass.getSimpleName.startsWith("Collated"))

  def switchedOff(key: String): Source.Answer = Source.blamed(NotPushedReason.SwitchedOff, key)
}

/** The ORC reader, which skips stripes and row groups by their statistics. */
private[pushdown] final class OrcReader(schema: StructType, conf: SQLConf) extends FileReader {

  override def apply(filter: Filter, predicate: Expression): Source.Answer =
    if (!conf.orcFilterPushDown)
      FileReader.switchedOff(SQLConf.ORC_FILTER_PUSHDOWN_ENABLED.key)
    else if (Translation.orc(schema, filter))
      Source.does(Layer.Pushed, "stripes and groups of rows can be skipped by their statistics")
    else if (FileReader.isCollated(filter)) Source.blamed(NotPushedReason.Collation)
    else
      predicate.references.map(_.dataType).find(!hasStatistics(_)) match {
        case Some(dataType) => Source.blamed(NotPushedReason.UnsupportedType, dataType.sql)
        case None => Source.blamed(NotPushedReason.SourceDeclines)
      }

  private def hasStatistics(dataType: DataType) = dataType match {
    case BinaryType | _: ArrayType | _: MapType | CalendarIntervalType => false
    case _ => true
  }
}

/**
 * The reader of CSV, JSON and similar formats. The parser evaluates the filters as soon as it has
 * parsed their columns, and skips the rest of a record that does not pass.
 *
 * @param switch
 *   the config that turns filter push-down on or off, and its value
 * @param unread
 *   the column of corrupt records, which is not in the files but is filled for malformed records
 */
private[pushdown] final class ParsingReader(switch: (String, Boolean), unread: Option[String])
    extends FileReader {

  override def apply(filter: Filter, predicate: Expression): Source.Answer =
    if (!switch._2) FileReader.switchedOff(switch._1)
    else if (FileReader.isCollated(filter)) Source.blamed(NotPushedReason.Collation)
    else if (filter.references.exists(unread.contains))
      Source.blamed(
        NotPushedReason.StoredOtherwise,
        "the column of corrupt records is not in the files")
    else Source.does(Layer.Evaluated, "the parser drops the rows")
}

/** A format whose reader is known to ignore filters. */
private[pushdown] object HeedlessReader extends FileReader {
  override def apply(filter: Filter, predicate: Expression): Source.Answer =
    Source.blamed(NotPushedReason.TakesNone)
}

/** Delta's reader, where it identifies deleted rows by their row numbers. */
private[pushdown] object RowNumbersReader extends FileReader {
  override def apply(filter: Filter, predicate: Expression): Source.Answer =
    Source.blamed(NotPushedReason.SourceDeclines, "the files have rows that are marked as deleted")
}

/** A format that Sieve does not know. */
private[pushdown] object UnknownReader extends FileReader {
  override def apply(filter: Filter, predicate: Expression): Source.Answer =
    Source.does(Layer.NotKnown, "the format's reader is given it, and may use it or not")
}
