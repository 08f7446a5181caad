// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.pushdown

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Expression, GenericInternalRow}
import org.apache.spark.sql.columnar._
import org.apache.spark.sql.execution.columnar.InMemoryTableScanExec
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types.DataType

import io.sparksieve.report.core.{Layer, NotPushed, NotPushedReason, ScanNames}

/** A cached table: batches of rows with the minimum and maximum of each column. */
private[pushdown] final class CachedSource(scan: InMemoryTableScanExec, conf: SQLConf)
    extends Source {

  override val name: String = "cache"

  override val place: String = ScanNames(scan)

  override def answer(predicate: Expression, alsoBySpark: Boolean): Source.Answer =
    if (!conf.inMemoryPartitionPruning)
      FileReader.switchedOff(SQLConf.IN_MEMORY_PARTITION_PRUNING.key)
    else
      scan.relation.cacheBuilder.serializer match {
        case serializer: SimpleMetricsCachedBatchSerializer =>
          if (scan.predicates.exists(_.semanticEquals(predicate)) && skips(serializer, predicate))
            Source.does(
              Layer.Skipped,
              "batches can be skipped by the least and the greatest value of the column")
          else Left(why(predicate))
        case _ => Source.does(Layer.NotKnown, "the cache's serializer is given it")
      }

  /**
   * Whether the serializer can skip batches by the predicate. Its own filter runs on the statistics
   * of an empty batch: it drops that batch unless it has no test for the predicate.
   */
  private def skips(
      serializer: SimpleMetricsCachedBatchSerializer,
      predicate: Expression): Boolean = {
    val columns = scan.relation.output
    val test = serializer.buildFilter(Seq(predicate), columns)
    test(0, Iterator.single(new CachedSource.NoValues(columns.size))).isEmpty
  }

  private def why(predicate: Expression): NotPushed = {
    val blame = Untranslated.v1(predicate, nested = false)
    if (blame.obstacle != NotPushedReason.NotKnown) blame
    else NotPushed(NotPushedReason.SourceDeclines, types(predicate))
  }

  private def types(predicate: Expression) = {
    val found: Seq[DataType] = predicate.references.toSeq.map(_.dataType).distinct
    s"its statistics are of no use for it (${found.map(_.sql).mkString(", ")})"
  }
}

private[pushdown] object CachedSource {

  /** A batch whose statistics have no bounds, no NULLs and no rows. */
  private final class NoValues(columns: Int) extends SimpleMetricsCachedBatch {
    override def numRows: Int = 0
    override val stats: InternalRow =
      new GenericInternalRow(Array.fill(columns)(Seq[Any](null, null, 0, 0, 0L)).flatten)
  }
}
