// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.pushdown

import scala.util.Try

import org.apache.parquet.schema.{LogicalTypeAnnotation, MessageType, Type}
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName.INT96

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.parser.CatalystSqlParser
import org.apache.spark.sql.execution.datasources.DataSourceUtils
import org.apache.spark.sql.execution.datasources.parquet.ParquetFilters
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.sources.{Filter, IsNotNull}

import io.sparksieve.report.core.{Layer, NotPushedReason, Step}

/**
 * The Parquet reader, which skips row groups and pages by their statistics, dictionaries and Bloom
 * filters. A filter that is offered is not necessarily pushed: the reader decides by the schema of
 * each file. This class calls the same code of Spark.
 *
 * @param table
 *   the schema as Spark would write it
 * @param file
 *   the schema of one of the files; None if no file was read
 * @param byRecord
 *   whether the reader also evaluates the filters on each record
 */
private[pushdown] final class ParquetReader(
    table: MessageType,
    file: Option[MessageType],
    byRecord: Boolean,
    conf: SQLConf)
    extends FileReader {

  import ParquetReader._

  private val schema = file.getOrElse(table)

  private val switches = Switches.of(conf)

  override def apply(filter: Filter, predicate: Expression): Source.Answer =
    if (!conf.parquetFilterPushDown)
      FileReader.switchedOff(SQLConf.PARQUET_FILTER_PUSHDOWN_ENABLED.key)
    else if (takes(filter, switches)) {
      val skips = Step(Layer.Pushed, "row groups and pages can be skipped by their statistics")
      val evaluates = Step(Layer.Evaluated, "the reader evaluates it for each record")
      Right(if (byRecord) Seq(skips, evaluates) else Seq(skips))
    } else
      FileReader.leaves(filter).find(!takes(_, switches)).map(why).getOrElse(Declines)

  private def takes(filter: Filter, on: Switches) = new ParquetFilters(
    schema,
    on.date,
    on.timestamp,
    on.decimal,
    on.text,
    on.inThreshold,
    conf.caseSensitiveAnalysis,
    DataSourceUtils.datetimeRebaseSpec(_ => null, "CORRECTED")
  ).createFilter(filter).nonEmpty

  /** The reason why the reader does not take a filter on one column. */
  private def why(leaf: Filter): Source.Answer =
    switches.turnedOn.collectFirst { case (key, on) if takes(leaf, on) => key } match {
      case Some(key) => FileReader.switchedOff(key)
      case None if FileReader.isCollated(leaf) => Source.blamed(NotPushedReason.Collation)
      case None =>
        leaf.references.headOption.fold(Declines) { column =>
          val path =
            Try(CatalystSqlParser.parseMultipartIdentifier(column)).getOrElse(Seq(column))
          fieldOf(path, schema) match {
            case None =>
              Source.blamed(NotPushedReason.StoredOtherwise, s"they have no column $column")
            case Some(field) => ofType(field, fieldOf(path, table), column)
          }
        }
    }

  private def ofType(field: Type, expected: Option[Type], column: String): Source.Answer =
    if (!field.isPrimitive) Source.blamed(NotPushedReason.UnsupportedType, s"the column is $field")
    else if (field.asPrimitiveType.getPrimitiveTypeName == INT96)
      // The type that Spark would write now does not show the type in existing files.
      if (file.isEmpty) Source.blamed(NotPushedReason.NotKnown)
      else Source.blamed(NotPushedReason.Int96)
    else
      field.getLogicalTypeAnnotation match {
        case t: LogicalTypeAnnotation.TimestampLogicalTypeAnnotation if !t.isAdjustedToUTC =>
          Source.blamed(NotPushedReason.TimestampNtz)
        case _ if expected.exists(!isAlike(_, field)) =>
          Source.blamed(NotPushedReason.StoredOtherwise, s"as $field")
        case _ if !takes(IsNotNull(column), switches) =>
          Source.blamed(NotPushedReason.UnsupportedType, s"the column is $field")
        case _ => Declines
      }
}

private[pushdown] object ParquetReader {

  private val Declines = Source.blamed(NotPushedReason.SourceDeclines)

  /** Spark's configs for the types whose predicates are pushed. */
  private final case class Switches(
      date: Boolean,
      timestamp: Boolean,
      decimal: Boolean,
      text: Boolean,
      inThreshold: Int) {

    /** For each switch that is off, its config key and the switches with it turned on. */
    def turnedOn: Seq[(String, Switches)] = Seq(
      (date, SQLConf.PARQUET_FILTER_PUSHDOWN_DATE_ENABLED, copy(date = true)),
      (timestamp, SQLConf.PARQUET_FILTER_PUSHDOWN_TIMESTAMP_ENABLED, copy(timestamp = true)),
      (decimal, SQLConf.PARQUET_FILTER_PUSHDOWN_DECIMAL_ENABLED, copy(decimal = true)),
      (text, SQLConf.PARQUET_FILTER_PUSHDOWN_STRING_PREDICATE_ENABLED, copy(text = true)),
      (inThreshold > 0, SQLConf.PARQUET_FILTER_PUSHDOWN_INFILTERTHRESHOLD, copy(inThreshold = 1))
    ).collect { case (false, entry, on) => entry.key -> on }
  }

  private object Switches {
    def of(conf: SQLConf): Switches = Switches(
      conf.parquetFilterPushDownDate,
      conf.parquetFilterPushDownTimestamp,
      conf.parquetFilterPushDownDecimal,
      conf.parquetFilterPushDownStringPredicate,
      conf.parquetFilterPushDownInFilterThreshold
    )
  }

  private def fieldOf(path: Seq[String], schema: Type): Option[Type] = path match {
    case Seq() => Some(schema)
    case name +: rest if !schema.isPrimitive =>
      val fields = schema.asGroupType.getFields
      (0 until fields.size)
        .map(fields.get)
        .find(_.getName.equalsIgnoreCase(name))
        .flatMap(fieldOf(rest, _))
    case _ => None
  }

  private def isAlike(a: Type, b: Type) = a.isPrimitive && b.isPrimitive &&
    a.asPrimitiveType.getPrimitiveTypeName == b.asPrimitiveType.getPrimitiveTypeName &&
    a.getLogicalTypeAnnotation == b.getLogicalTypeAnnotation
}
