// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.advice.workload

import java.util.Locale

import scala.util.Try

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.util.quoteIfNeeded
import org.apache.spark.sql.execution.{
  FileSourceScanExec,
  QueryExecution,
  ScalarSubquery => ScalarSubqueryExec,
  SparkPlan
}
import org.apache.spark.sql.execution.datasources.HadoopFsRelation
import org.apache.spark.sql.execution.datasources.v2.{
  BatchScanExec,
  DataSourceV2ScanRelation,
  FileScan
}
import org.apache.spark.sql.sources.DataSourceRegister
import org.apache.spark.sql.types.DataType

import io.sparksieve.common.Shorten
import io.sparksieve.keyset.KeySet
import io.sparksieve.keyset.bytes.BytesKeySet
import io.sparksieve.keyset.longs.LongKeyFilter
import io.sparksieve.pushdown.{BeforePushdown, FilteredScan, Offered}
import io.sparksieve.report.core.PredicateText
import io.sparksieve.scan.{DynamicScanExec, KeyRanges}

/** Finds the tables that a query reads, with its predicates and the keys that a run collected. */
private[sparksieve] object ReadsOf {

  /** The reads of a query that is planned for this purpose and not run: no keys are known. */
  def planned(query: QueryExecution): Seq[TableRead] = {
    val (plan, offered) = BeforePushdown.recording(query.executedPlan)
    of(plan, new Offered(offered)(_))
  }

  /** The reads of a plan that has run. A DSv2 source's own predicates are not in such a plan. */
  def executed(plan: SparkPlan): Seq[TableRead] = of(plan, _ => Nil)

  /** The predicates of a read as text, which is the same in each plan of a query. */
  def tests(read: TableRead): Set[String] = read.predicates.map(PredicateText(_)).toSet

  /** The reads as a short text: each table with its predicates. */
  def text(reads: Seq[TableRead]): String = {
    val parts = reads.map { read =>
      val tests = read.predicates.filterNot(_.isInstanceOf[IsNotNull]).map(PredicateText(_))
      val all = tests ++ read.keys.map(_.text)
      val table = read.table.text.split('/').last
      if (all.isEmpty) table else s"$table: ${all.mkString(" AND ")}"
    }
    Shorten(parts.distinct.mkString("; "), MaxText)
  }

  private final val MaxText = 300

  private def of(plan: SparkPlan, offered: Seq[Attribute] => Seq[Expression]): Seq[TableRead] =
    FilteredScan.in(plan).flatMap { found =>
      val read = Try(found.scan match {
        case files: FileSourceScanExec => ofFiles(files)
        case batch: BatchScanExec => ofSource(batch, found.conjuncts, offered)
        case _ => None
      }).toOption.flatten
      read.map { case (table, predicates) =>
        TableRead(table, constant(predicates), found.narrowedBy.toSeq.flatMap(keys))
      }
    }

  private def ofFiles(scan: FileSourceScanExec): Option[(TableRef, Seq[Expression])] = {
    val relation = scan.relation
    val table = TableRef(
      formatOf(relation),
      scan.tableIdentifier.map(_.nameParts.map(quoteIfNeeded).mkString(".")),
      if (scan.tableIdentifier.isEmpty) relation.location.rootPaths.map(_.toString) else Nil,
      relation.options
    )
    Some(table -> (scan.partitionFilters ++ scan.dataFilters))
  }

  private def formatOf(relation: HadoopFsRelation) = relation.fileFormat match {
    case delta if delta.getClass.getName.startsWith("org.apache.spark.sql.delta.") => "delta"
    case named: DataSourceRegister => named.shortName()
    case other => other.getClass.getSimpleName
  }

  private def ofSource(
      scan: BatchScanExec,
      conjuncts: Seq[Expression],
      offered: Seq[Attribute] => Seq[Expression]): Option[(TableRef, Seq[Expression])] = {
    val leaf = scan.logicalLink.toSeq.flatMap(_.collectLeaves()).collectFirst {
      case r: DataSourceV2ScanRelation => r
    }
    leaf.map { r =>
      val relation = r.relation
      val name =
        for (c <- relation.catalog; id <- relation.identifier)
          yield (c.name +: id.namespace.toSeq :+ id.name).map(quoteIfNeeded).mkString(".")
      scan.scan match {
        case files: FileScan =>
          val format = files.getClass.getSimpleName.stripSuffix("Scan").toLowerCase(Locale.ROOT)
          TableRef(format, None, files.fileIndex.rootPaths.map(_.toString)) ->
            (files.partitionFilters ++ files.dataFilters)
        case _ =>
          val format = Option(relation.table.properties.get("provider")).getOrElse("table")
          val all = ExpressionSet(offered(relation.output) ++ conjuncts)
          TableRef(format, name.orElse(Some(relation.name))) -> all.toSeq
      }
    }
  }

  /** The predicates on columns and constants; a subquery that has run is a constant. */
  private def constant(predicates: Seq[Expression]): Seq[Expression] = predicates.flatMap { p =>
    val known = p.transform { case s: ScalarSubqueryExec =>
      Try(Literal(s.eval(), s.dataType)).getOrElse(s)
    }
    if (known.exists(_.isInstanceOf[PlanExpression[_]]) || !known.deterministic) None
    else Some(known)
  }

  private def keys(pruning: SparkPlan): Seq[ColumnKeys] = pruning match {
    case scan: DynamicScanExec =>
      scan.filters.flatMap { filter =>
        val column = filter.column
        val known =
          if (!KeyRanges.comparable(column.dataType, filter.keys.keyType)) None
          else Try(filter.keys.keys).toOption.flatten
        known.flatMap(keys(column.name, column.dataType, _)).toSeq
      }
    case _ => Nil
  }

  private def keys(column: String, dataType: DataType, set: KeySet): Option[ColumnKeys] = {
    val ranges = (Coding.of(dataType), set) match {
      case (_, empty) if empty.isEmpty => Some(Nil)
      case (Some(coding: Coding.Longs), longs: LongKeyFilter) if coding.isPlain =>
        Some(KeyRanges(longs, dataType).map(r => (Long.box(r.low), Long.box(r.high))))
      case (Some(_: Coding.Text), bytes: BytesKeySet) =>
        Some(KeyRanges.ofBytes(bytes).map(r => (new TextCode(r.low), new TextCode(r.high))))
      case _ => None
    }
    ranges.map(ColumnKeys(column, _))
  }
}
