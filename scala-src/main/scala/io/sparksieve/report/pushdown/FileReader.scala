package io.sparksieve.report.pushdown

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.sieve.Translation
import org.apache.spark.sql.sources._
import org.apache.spark.sql.types._

/** What the reader of a file format makes of a filter that it is offered. */
private[pushdown] trait FileReader {

  /** @param predicate what `filter` was made of */
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

  /** Whether a filter heeds a collation; Spark 3.5 has neither. */
  def isCollated(filter: Filter): Boolean =
    leaves(filter).exists(_.getClass.getSimpleName.startsWith("Collated"))

  def switchedOff(key: String): Source.Answer = Source.blamed(Obstacle.SwitchedOff, key)
}

/** ORC: stripes and groups of rows have statistics. */
private[pushdown] final class OrcReader(schema: StructType, conf: SQLConf) extends FileReader {

  override def apply(filter: Filter, predicate: Expression): Source.Answer =
    if (!conf.orcFilterPushDown)
      FileReader.switchedOff(SQLConf.ORC_FILTER_PUSHDOWN_ENABLED.key)
    else if (Translation.orc(schema, filter))
      Source.does(Layer.Pushed, "stripes and groups of rows are skipped by their statistics")
    else if (FileReader.isCollated(filter)) Source.blamed(Obstacle.Collation)
    else
      predicate.references.map(_.dataType).find(!hasStatistics(_)) match {
        case Some(dataType) => Source.blamed(Obstacle.UnsupportedType, dataType.sql)
        case None => Source.blamed(Obstacle.SourceDeclines)
      }

  private def hasStatistics(dataType: DataType) = dataType match {
    case BinaryType | _: ArrayType | _: MapType | CalendarIntervalType => false
    case _ => true
  }
}

/**
 * CSV, JSON and the like: the parser asks the filters as soon as it has their columns, and leaves
 * the rest of the record.
 *
 * @param switch
 *   the setting that switches it off, and its value
 * @param unread
 *   the column that is no part of the files, but made when one is malformed
 */
private[pushdown] final class ParsingReader(switch: (String, Boolean), unread: Option[String])
    extends FileReader {

  override def apply(filter: Filter, predicate: Expression): Source.Answer =
    if (!switch._2) FileReader.switchedOff(switch._1)
    else if (FileReader.isCollated(filter)) Source.blamed(Obstacle.Collation)
    else if (filter.references.exists(unread.contains))
      Source.blamed(Obstacle.StoredOtherwise, "the column of corrupt records is not in the files")
    else Source.does(Layer.Evaluated, "the parser drops the rows")
}

/** A format whose reader is known to look at no filter. */
private[pushdown] object HeedlessReader extends FileReader {
  override def apply(filter: Filter, predicate: Expression): Source.Answer =
    Source.blamed(Obstacle.TakesNone)
}

/** Delta's, where it tells deleted rows by their numbers. */
private[pushdown] object RowNumbersReader extends FileReader {
  override def apply(filter: Filter, predicate: Expression): Source.Answer =
    Source.blamed(Obstacle.SourceDeclines, "the files have rows that are marked as deleted")
}

/** A format that Sieve does not know. */
private[pushdown] object UnknownReader extends FileReader {
  override def apply(filter: Filter, predicate: Expression): Source.Answer =
    Source.does(Layer.NotKnown, "the format's reader is given it, and may use it or not")
}
