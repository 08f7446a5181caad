// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.pushdown

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.execution.RowDataSourceScanExec
import org.apache.spark.sql.sieve.Translation
import org.apache.spark.sql.sources.{BaseRelation, CatalystScan, PrunedFilteredScan}

import io.sparksieve.report.core.{Layer, NotPushedReason, ReportsPushdown, Step}

/** A DSv1 relation, including JDBC. */
private[pushdown] final class RowSource(scan: RowDataSourceScanExec) extends Source {

  private val relation: BaseRelation = scan.relation

  private val jdbc = Translation.jdbc(relation)

  override val name: String =
    if (jdbc.nonEmpty) "jdbc" else relation.getClass.getSimpleName.stripSuffix("$")

  override val place: String = scan.tableIdentifier
    .map(_.unquotedString)
    .orElse(jdbc.map(_._1))
    .getOrElse(relation.schema.fieldNames.mkString("relation of ", ", ", ""))

  override def answer(predicate: Expression, alsoBySpark: Boolean): Source.Answer = {
    val filter = Translation.v1(predicate, Translation.nested(relation))
    relation match {
      case _: CatalystScan => Source.does(Layer.Pushed, "the relation is given it")
      case _: PrunedFilteredScan =>
        filter match {
          case None => Left(Untranslated.v1(predicate, Translation.nested(relation)))
          case Some(f) if handled.contains(f) => Right(Seq(handled(f)))
          case Some(f) if alsoBySpark && relation.isInstanceOf[ReportsPushdown] =>
            Source.blamed(NotPushedReason.SourceDeclines, s"$f")
          case Some(f) if scan.handledFilters.contains(f) || !alsoBySpark =>
            Source.does(Layer.Pushed, "the source answers it")
          case Some(_) => unhandled
        }
      case _ => Source.blamed(NotPushedReason.TakesNone)
    }
  }

  private lazy val handled = relation match {
    case t: ReportsPushdown => t.steps(scan.filters.toSeq)
    case _ => Map.empty[Any, Step]
  }

  private def unhandled: Source.Answer = jdbc match {
    case Some((_, false)) => FileReader.switchedOff("the option pushDownPredicate")
    case Some(_) => Source.blamed(NotPushedReason.SourceDeclines, "it has no SQL for it")
    case None => Source.does(Layer.Pushed, "the relation is given it, and may use it or not")
  }
}
