// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.dynamicfilter.optimize

import scala.annotation.tailrec

import org.apache.spark.sql.catalyst.FileSourceOptions
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.util.CaseInsensitiveMap
import org.apache.spark.sql.connector.read.Scan
import org.apache.spark.sql.execution.{
  ColumnarToRowExec,
  InputAdapter,
  LogicalRDD,
  SparkPlan,
  WholeStageCodegenExec
}
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanExec
import org.apache.spark.sql.execution.columnar.InMemoryRelation
import org.apache.spark.sql.execution.datasources._
import org.apache.spark.sql.execution.datasources.v2.{DataSourceV2ScanRelation, FileScan, FileTable}
import org.apache.spark.sql.internal.SQLConf

import io.sparksieve.common.{ReadSource, ReaderConfs}

/**
 * Whether a source yields the same rows when a query reads it twice. Pinned are rows in the plan,
 * listed files, a table's snapshot, checkpoints, and caches of repeatable plans. Not pinned are
 * RDDs and Python sources, which compute their rows, JDBC, catalog partitions that are listed at
 * each read, and files that Spark ignores when they are corrupt or missing: one of two reads may
 * succeed.
 */
private[dynamicfilter] object PinnedSource {

  def apply(leaf: LeafNode): Boolean = leaf match {
    case _: LocalRelation | _: Range | _: OneRowRelation | _: CommandResult => true
    case cached: InMemoryRelation => isRepeatable(cached.cacheBuilder.cachedPlan)
    // Spark does not recompute a checkpointed RDD.
    case rows: LogicalRDD => rows.rdd.isCheckpointed && !rows.isStreaming
    case r: LogicalRelation =>
      r.relation match {
        case files: HadoopFsRelation =>
          isSparks(files.fileFormat) && isListed(files.location) &&
          !ReaderConfs.of(files, SQLConf.get).exists(ignores(files.options, _))
        case _ => false
      }
    case r: DataSourceV2ScanRelation =>
      isPinned(r.scan) && !confs(r).exists(ignores(options(r), _))
    case _ => false
  }

  // Spark recomputes lost blocks of a cache, so the cached query must be repeatable.
  private def isRepeatable(cached: SparkPlan): Boolean =
    query(cached).exists(Repeatable.obstacle(_).isEmpty)

  /**
   * The logical plan of a physical plan; looks below the operators that Spark wraps around a
   * finished plan.
   */
  @tailrec
  private def query(plan: SparkPlan): Option[LogicalPlan] = plan match {
    case adaptive: AdaptiveSparkPlanExec => query(adaptive.inputPlan)
    case linked if linked.logicalLink.nonEmpty => linked.logicalLink
    case _: WholeStageCodegenExec | _: InputAdapter | _: ColumnarToRowExec =>
      query(plan.children.head)
    case _ => None
  }

  private def isSparks(format: FileFormat) =
    format.getClass.getName.startsWith("org.apache.spark.sql.")

  // By name: Delta is not on Sieve's class path. This index reads one version of the table's log.
  private def isListed(index: FileIndex) = index match {
    case _: PartitioningAwareFileIndex => true
    case other =>
      other.getClass.getName == "org.apache.spark.sql.delta.stats.PreparedDeltaFileIndex"
  }

  // By name, as for Delta: Iceberg's scan reads one snapshot.
  private def isPinned(scan: Scan) = scan match {
    case files: FileScan => isListed(files.fileIndex)
    case other => other.getClass.getName == "org.apache.iceberg.spark.source.SparkBatchQueryScan"
  }

  private def options(relation: DataSourceV2ScanRelation): Map[String, String] = {
    val all = relation.relation.options
    Seq(FileSourceOptions.IGNORE_CORRUPT_FILES, FileSourceOptions.IGNORE_MISSING_FILES)
      .flatMap(name => Option(all.get(name)).map(name -> _))
      .toMap
  }

  private def confs(relation: DataSourceV2ScanRelation) = relation.relation.table match {
    case files: FileTable => ReaderConfs.of(files, SQLConf.get)
    case _ => Seq(SQLConf.get)
  }

  private def ignores(options: Map[String, String], conf: SQLConf) =
    ReadSource.ignoresCorrupt(options, conf) || {
      val set = CaseInsensitiveMap(options).get(FileSourceOptions.IGNORE_MISSING_FILES)
      set.map(_.toBoolean).getOrElse(conf.ignoreMissingFiles)
    }
}
