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
      caps: Caps): Map[KeySource, KeyEntry] = {
    val settings = ReadSettings(session)
    sources.distinct
      .groupBy(_.place)
      .flatMap { case (place, ofPlace) =>
        val files = stamps(session, place)
        val entries = ofPlace.map { source =>
          files.fold(KeyEntry(source, None, settings)) {
            KeyStore(session).entry(source, _, settings)
          }
        }
        entries.foreach(_.forgetSmallerCap(caps))
        readTogether(session, entries.filter(_.known.isEmpty), caps)
        ofPlace.zip(entries)
      }
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

  /** The files of a source as they are now. */
  def now(session: SparkSession, source: KeySource): Option[Seq[FileStamp]] =
    stamps(session, source.place)

  private def stamps(session: SparkSession, place: KeyPlace): Option[Seq[FileStamp]] = place match {
    case files: FilePlace if Plain(files.format) =>
      Some(DataFiles.all(session, files.path, files.options))
    case other => stamps(session, ReadKeys.open(session, other).queryExecution.analyzed)
  }

  // Formats that read all files of a folder; others may have a log that says which.
  private val Plain = Set("parquet", "orc", "csv", "json", "text", "avro")

  /** The files that a plan reads, if these alone say what it yields. */
  private def stamps(session: SparkSession, plan: LogicalPlan): Option[Seq[FileStamp]] =
    plan match {
      case SubqueryAlias(_, child) => stamps(session, child)
      case view: View => stamps(session, view.child)
      case Project(list, child) if list.forall(isPlain) => stamps(session, child)
      case leaf: LogicalRelation =>
        leaf.relation match {
          case files: HadoopFsRelation => listed(session, files.location)
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

  // A table's listing may be an older one, and what it lists have been replaced since.
  private def listed(session: SparkSession, index: FileIndex): Option[Seq[FileStamp]] =
    index match {
      case files: PartitioningAwareFileIndex =>
        DataFiles.now(session, files.allFiles().sortBy(_.getPath.toString))
      case catalog: CatalogFileIndex => listed(session, catalog.filterPartitions(Nil))
      case _ => None
    }
}
