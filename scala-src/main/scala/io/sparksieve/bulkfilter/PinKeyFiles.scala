package io.sparksieve.bulkfilter

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.expressions.{Alias, AttributeReference, Cast, NamedExpression}
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.execution.datasources._

/** Looks which files the values of leaves come from now. */
private[bulkfilter] object PinKeyFiles {

  /** What is known of sources as their files are now; each place is looked at once. */
  def entries(
      session: SparkSession,
      sources: Seq[KeySource],
      caps: Caps): Map[KeySource, KeyEntry] =
    sources.distinct
      .groupBy(_.place)
      .flatMap { case (place, ofPlace) =>
        val files = stamps(session, place)
        val entries = ofPlace.map { source =>
          files.fold(KeyEntry(source, None))(KeyStore(session).entry(source, _))
        }
        entries.foreach(_.forgetSmallerCap(caps))
        readTogether(session, entries.filter(_.known.isEmpty), caps)
        ofPlace.zip(entries)
      }

  /** As many as fit into memory side by side for sure. */
  private def readTogether(session: SparkSession, entries: Seq[KeyEntry], caps: Caps): Unit =
    if (entries.size > 1) {
      val bounded = entries.flatMap(e => e.bound(session).map(e -> _)).sortBy(_._2)
      val sums = bounded.scanLeft(0L)(_ + _._2).tail
      val fitting = bounded.zip(sums).collect { case ((e, _), sum) if sum <= caps.leafBytes => e }
      if (fitting.size > 1) {
        val together = new ReadGroup(fitting)
        fitting.foreach(_.join(together))
      }
    }

  private def stamps(session: SparkSession, place: KeyPlace): Option[Seq[FileStamp]] = place match {
    case files: FilePlace if Plain(files.format) =>
      Some(DataFiles.all(session, files.path, files.options))
    case other => stamps(ReadKeys.open(session, other).queryExecution.analyzed)
  }

  // Formats that read all files of a folder; others may have a log that says which.
  private val Plain = Set("parquet", "orc", "csv", "json", "text", "avro")

  /** The files that a plan reads, if these alone say what it yields. */
  private def stamps(plan: LogicalPlan): Option[Seq[FileStamp]] = plan match {
    case SubqueryAlias(_, child) => stamps(child)
    case view: View => stamps(view.child)
    case Project(list, child) if list.forall(isPlain) => stamps(child)
    case leaf: LogicalRelation =>
      leaf.relation match {
        case files: HadoopFsRelation => listed(files.location)
        case _ => None
      }
    case _ => None
  }

  private def isPlain(e: NamedExpression) = e match {
    case _: AttributeReference => true
    case Alias(_: AttributeReference, _) => true
    case Alias(Cast(_: AttributeReference, _, _, _), _) => true
    case _ => false
  }

  private def listed(index: FileIndex): Option[Seq[FileStamp]] = index match {
    case files: PartitioningAwareFileIndex =>
      Some(
        files
          .allFiles()
          .map(f => FileStamp(f.getPath.toString, f.getLen, f.getModificationTime))
          .sortBy(_.path))
    case catalog: CatalogFileIndex => listed(catalog.filterPartitions(Nil))
    case _ => None
  }
}
