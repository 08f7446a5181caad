// SPDX-License-Identifier: Apache-2.0
package org.apache.iceberg.spark.source

import java.util.function.Supplier

import org.apache.iceberg.BaseTable

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.connector.catalog.{SupportsRead, Table, TableCapability, TableProvider}
import org.apache.spark.sql.connector.expressions._
import org.apache.spark.sql.connector.expressions.filter.Predicate
import org.apache.spark.sql.connector.metric.CustomTaskMetric
import org.apache.spark.sql.connector.read._
import org.apache.spark.sql.connector.read.partitioning.{KeyGroupedPartitioning, Partitioning}
import org.apache.spark.sql.types.{LongType, StructType}
import org.apache.spark.sql.util.CaseInsensitiveStringMap

/**
 * Stands in for Iceberg's scan on this line, of which there is no Iceberg yet: a table of ten files
 * with ten values of `id` each, which skips files by predicates on `id`.
 *
 * @param snapshot
 *   what is read; with the option `moving`, every scan reads another, and
 *   reports nothing of it. With the option `racing`,
 *   scans with keys read the snapshot that it names, and scans of different snapshots are equal, as
 *   for Spark 3.5; 8 is the snapshot 0 by a later schema
 */
final class SparkBatchQueryScan(
    val snapshot: Int,
    options: CaseInsensitiveStringMap,
    schema: StructType,
    predicates: Seq[Predicate])
    extends Scan
    with Batch
    with SupportsReportPartitioning {

  private lazy val files = (0 until 10).filter(f => predicates.forall(LikeIceberg.mayHold(_, f)))

  override def readSchema(): StructType = schema

  private val scanReportSupplier: Supplier[Report] = () =>
    Report(if (options.getBoolean("moving", false)) 0 else snapshot, schema, predicates)

  // The compiler drops a private field that nobody reads.
  override def description(): String = s"like_iceberg of ${scanReportSupplier.get}"

  override def toBatch: Batch = this

  override def planInputPartitions(): Array[InputPartition] =
    files.map(OneFile(_, place, deletes)).toArray

  private def deletes =
    if (options.getBoolean("deletes", false)) Seq("EQUALITY_DELETES") else Seq("POSITION_DELETES")

  private def place: String =
    options.getOrDefault(
      "file",
      "/t/data/00000-7-01234567-89ab-cdef-0123-456789abcdef-00001.parquet")

  override def createReaderFactory(): PartitionReaderFactory = new RowsOfFile(schema)

  override def outputPartitioning(): Partitioning =
    if (options.getBoolean("grouped", false))
      new KeyGroupedPartitioning(Array(Expressions.identity("id")), files.size)
    else new partitioning.UnknownPartitioning(files.size)

  override def reportDriverMetrics(): Array[CustomTaskMetric] = Array(new CustomTaskMetric {
    override def name(): String = "resultDataFiles"
    override def value(): Long = files.size.toLong
  })

  override def equals(other: Any): Boolean = other match {
    case that: SparkBatchQueryScan => key == that.key
    case _ => false
  }

  override def hashCode(): Int = key.hashCode

  private def key: (Int, StructType, Seq[Predicate]) =
    (if (options.containsKey("racing")) 0 else snapshot, schema, predicates)
}

/** What Iceberg reports of the files that it has planned: the columns have ids 1 and 2. */
final case class Report(snapshot: Int, schema: StructType, predicates: Seq[Predicate]) {

  private val names = {
    val filtered = predicates.flatMap(_.references).map(_.fieldNames.head)
    (schema.fieldNames.toSeq ++ filtered).distinct
  }

  // Snapshot 8 is snapshot 0, by a later schema.
  private def id(name: String) = if (name == "id") 1 else if (snapshot == 8) 12 else 2

  def snapshotId(): Long = if (snapshot == 8) 0 else snapshot
  def projectedFieldNames(): java.util.List[String] = java.util.List.of(names: _*)
  def projectedFieldIds(): java.util.List[Integer] =
    java.util.List.of(names.map(name => Integer.valueOf(id(name))): _*)
}

/**
 * @param location
 *   where the file lies, as tables with imported files have others
 * @param contents
 *   the kinds of deletes
 */
final case class OneFile(number: Int, location: String, contents: Seq[String])
    extends InputPartition
    with HasPartitionKey {
  def taskGroup(): OneFile = this
  def tasks(): java.util.List[OneFile] = java.util.List.of(this)
  def file(): OneFile = this
  def deletes(): java.util.List[DeleteFile] = java.util.List.of(contents.map(DeleteFile(_)): _*)
  override def partitionKey(): InternalRow = InternalRow(number * 10L)
}

final case class DeleteFile(content: String)

final class RowsOfFile(schema: StructType) extends PartitionReaderFactory {
  override def createReader(partition: InputPartition): PartitionReader[InternalRow] =
    new PartitionReader[InternalRow] {
      private var last = partition.asInstanceOf[OneFile].number * 10 - 1
      private val end = last + 10
      override def next(): Boolean = { last += 1; last <= end }
      override def get(): InternalRow = InternalRow.fromSeq(schema.map(_ => last.toLong))
      override def close(): Unit = ()
    }
}

/** The source of such tables: columns `id` and `n`, which have the same values. */
final class LikeIceberg extends TableProvider {

  override def inferSchema(options: CaseInsensitiveStringMap): StructType =
    new StructType().add("id", LongType, nullable = false).add("n", LongType, nullable = false)

  override def getTable(
      schema: StructType,
      partitioning: Array[Transform],
      properties: java.util.Map[String, String]): Table = new LikeIcebergTable(
    inferSchema(CaseInsensitiveStringMap.empty()),
    new CaseInsensitiveStringMap(properties))
}

/** @param options which properties the table has; see [[BaseTable]] */
final class LikeIcebergTable(all: StructType, options: CaseInsensitiveStringMap)
    extends Table
    with SupportsRead {
  def table(): BaseTable = new BaseTable(options)
  override def name(): String = "like_iceberg"
  override def schema(): StructType = all
  override def capabilities(): java.util.Set[TableCapability] =
    java.util.Set.of(TableCapability.BATCH_READ)
  override def newScanBuilder(options: CaseInsensitiveStringMap): ScanBuilder =
    new LikeIceberg.Builder(options, all)
}

object LikeIceberg {

  private var builds = 0

  final class Builder(options: CaseInsensitiveStringMap, all: StructType)
      extends SupportsPushDownV2Filters
      with SupportsPushDownRequiredColumns {
    private var columns = all
    private var predicates = Array.empty[Predicate]

    override def pushPredicates(offered: Array[Predicate]): Array[Predicate] = {
      predicates = offered
      // Filters on `n` are evaluated fully here, and leave Spark's plan.
      offered.filterNot(_.references.forall(_.fieldNames.head == "n"))
    }

    override def pushedPredicates(): Array[Predicate] = predicates

    override def pruneColumns(required: StructType): Unit = columns = required

    override def build(): Scan = LikeIceberg.synchronized {
      builds += 1
      // Only what Sieve adds are alternatives.
      if (options.getBoolean("fails", false) && predicates.exists(_.name == "OR"))
        throw new IllegalStateException("the snapshot has expired")
      val isLate = options.containsKey("racing") && predicates.exists(_.name == "OR")
      val snapshot =
        if (options.getBoolean("moving", false)) builds
        else if (isLate) options.getInt("racing", 0)
        else 0
      new SparkBatchQueryScan(snapshot, options, columns, predicates.toSeq)
    }
  }

  /** Whether `predicate` may be true for a value of the file. */
  def mayHold(predicate: Predicate, file: Int): Boolean = {
    val (least, greatest) = (file * 10L, file * 10L + 9)
    def constant = predicate
      .children()(1)
      .asInstanceOf[Literal[_]]
      .value
      .asInstanceOf[Number]
      .longValue
    def isColumn = predicate.children.headOption.exists(_.isInstanceOf[NamedReference])
    predicate.name match {
      case "=" | ">=" | "<=" if !isColumn => true
      case "=" => constant >= least && constant <= greatest
      case ">=" => constant <= greatest
      case "<=" => constant >= least
      case "AND" => predicate.children.forall(c => mayHold(c.asInstanceOf[Predicate], file))
      case "OR" => predicate.children.exists(c => mayHold(c.asInstanceOf[Predicate], file))
      case "ALWAYS_FALSE" => false
      case _ => true
    }
  }
}
