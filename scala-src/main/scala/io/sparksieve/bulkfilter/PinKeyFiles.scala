package io.sparksieve.bulkfilter

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.expressions.{Alias, AttributeReference, Cast, NamedExpression}
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.trees.TreePattern.SCALA_UDF
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.execution.datasources._

/** Looks, once a query, which files the values of its leaves come from now. */
final class PinKeyFiles(session: SparkSession) extends Rule[LogicalPlan] {

  override def apply(plan: LogicalPlan): LogicalPlan = {
    val missing = unpinned(plan)
    if (missing.isEmpty) plan
    else {
      val entries = PinKeyFiles.entries(session, missing)
      plan.transformAllExpressionsWithPruning(_.containsPattern(SCALA_UDF)) {
        case leaf @ InFile(_, FileKeys(source, None)) =>
          leaf.copy(members = FileKeys(source, Some(entries(source))))
      }
    }
  }

  private def unpinned(plan: LogicalPlan): Seq[KeySource] =
    if (!plan.containsPattern(SCALA_UDF)) Nil
    else
      plan
        .collect { case node => node.expressions.flatMap(InFile.in) }
        .flatten
        .collect { case InFile(_, FileKeys(source, None)) => source }
        .distinct
}

private[bulkfilter] object PinKeyFiles {

  /** What is known of sources as their files are now; each place is looked at once. */
  def entries(session: SparkSession, sources: Seq[KeySource]): Map[KeySource, KeyEntry] =
    sources
      .groupBy(_.place)
      .flatMap { case (place, ofPlace) =>
        val files = stamps(ReadKeys.open(session, place).queryExecution.analyzed)
        val entries = ofPlace.map { source =>
          files.fold(KeyEntry(source, None))(KeyStore(session).entry(source, _))
        }
        if (entries.size > 1) {
          val together = new ReadGroup(entries)
          entries.foreach(_.join(together))
        }
        ofPlace.zip(entries)
      }

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
