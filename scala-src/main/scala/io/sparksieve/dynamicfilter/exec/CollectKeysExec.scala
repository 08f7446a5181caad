// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.dynamicfilter.exec

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{
  Attribute,
  AttributeSet,
  Expression,
  UnsafeProjection
}
import org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter
import org.apache.spark.sql.catalyst.plans.physical.{
  ClusteredDistribution,
  Distribution,
  Partitioning,
  SinglePartition
}
import org.apache.spark.sql.execution.{SparkPlan, UnaryExecNode}

import io.sparksieve.dynamicfilter.optimize.KeyCaps
import io.sparksieve.keyset.KeySetBytes

/**
 * Runs [[CollectKeys]]: each task collects the keys of its partition, and the driver merges them.
 * The required distribution is that of the join, so that Spark plans equal exchanges below both
 * and runs the exchange once.
 */
private[exec] final case class CollectKeysExec(
    joinKeys: Seq[Expression],
    index: Int,
    caps: KeyCaps,
    output: Seq[Attribute],
    child: SparkPlan)
    extends UnaryExecNode {

  override def producedAttributes: AttributeSet = outputSet

  // In EXPLAIN, only the key.
  override protected def stringArgs: Iterator[Any] = Iterator(joinKeys(index))

  override def requiredChildDistribution: Seq[Distribution] = Seq(ClusteredDistribution(joinKeys))

  override def outputPartitioning: Partitioning = SinglePartition

  // As Spark's own operators do, waits for the subqueries in the keys.
  override def executeCollect(): Array[InternalRow] =
    executeQuery(Array(CollectKeysExec.row(collected())))

  override def executeTake(n: Int): Array[InternalRow] = executeCollect().take(n)

  // Spark runs subqueries by the two methods above, but every operator must implement this one.
  override protected def doExecute(): RDD[InternalRow] =
    sparkContext.parallelize(Seq(collected()), 1).map(CollectKeysExec.row)

  /** The keys of all partitions, serialised; None if they exceed a cap. */
  private def collected(): Option[Array[Byte]] = {
    val builder = caps.builder(joinKeys(index).dataType)
    CollectKeysExec.ofPartitions(child.execute(), joinKeys(index), child.output, caps) {
      case Some(part) if !builder.gaveUp => builder.merge(KeySetBytes.decode(part))
      case Some(_) => ()
      case None => builder.mergeGivenUp(None)
    }
    builder.result().map(KeySetBytes.encode)
  }

  override protected def withNewChildInternal(newChild: SparkPlan): CollectKeysExec =
    copy(child = newChild)
}

private object CollectKeysExec {

  // A projection would take three times the bytes.
  def row(bytes: Option[Array[Byte]]): InternalRow = {
    val writer = new UnsafeRowWriter(1, bytes.fold(0)(_.length + 8))
    writer.reset()
    writer.zeroOutNullBytes()
    bytes.fold(writer.setNullAt(0))(b => writer.write(0, b))
    writer.getRow
  }

  /**
   * Passes the keys of each partition, serialised, to `use`, on this thread and in any order. None
   * for a partition that exceeds the caps; the rest of its rows are not read.
   *
   * The parts are used while others are collected, so that the driver does not hold all of them.
   */
  def ofPartitions(rows: RDD[InternalRow], key: Expression, input: Seq[Attribute], caps: KeyCaps)(
      use: Option[Array[Byte]] => Unit): Unit = {
    val maxResultBytes =
      rows.sparkContext.getConf.getSizeAsBytes("spark.driver.maxResultSize", "1g")
    val ofPart = caps.ofParts(rows.getNumPartitions, maxResultBytes)
    val parts = rows.mapPartitions { partition =>
      val project = UnsafeProjection.create(Seq(key), input)
      val keys = ofPart.builder(key.dataType)
      while (!keys.gaveUp && partition.hasNext) keys.add(project(partition.next()))
      Iterator.single(keys.part().map(KeySetBytes.encode))
    }
    EachPartition(parts)(use)
  }
}
