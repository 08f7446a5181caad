// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.pushdown

import scala.util.{Success, Try}

import org.apache.spark.sql.catalyst.expressions.{Left => _, Right => _, _}
import org.apache.spark.sql.catalyst.util.quoteIfNeeded
import org.apache.spark.sql.connector.catalog.SupportsRead
import org.apache.spark.sql.connector.read._
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2ScanRelation
import org.apache.spark.sql.execution.datasources.v2.jdbc.JDBCTable
import org.apache.spark.sql.sieve.Translation

import io.sparksieve.report.core.{Layer, NotPushed, NotPushedReason, ReportsPushdown, Step}

/**
 * A DSv2 table. A plan does not show which predicates the table took, so they are pushed again, to
 * a scan builder that is created for this purpose and thrown away, as Spark does in each planning.
 *
 * @param offered
 *   all predicates that Spark offered, because a source may take one only together with others
 * @param runtime
 *   the runtime filters that the scan gets when other parts of the query have run
 */
private[pushdown] final class TableSource(
    relation: DataSourceV2ScanRelation,
    offered: Seq[Expression],
    runtime: Seq[Expression])
    extends Source {

  private val table = relation.relation.table

  override val name: String = table match {
    case _: JDBCTable => "jdbc"
    case other => Option(other.properties.get("provider")).getOrElse("table")
  }

  // Spark 3.5 leaves out the catalog in the name of a table.
  override val place: String =
    (relation.relation.catalog, relation.relation.identifier) match {
      case (Some(catalog), Some(id)) =>
        (catalog.name +: id.namespace.toSeq :+ id.name).map(quoteIfNeeded).mkString(".")
      case _ => relation.relation.name
    }

  override def own: Seq[Expression] = runtime

  private val atRunTime = ExpressionSet(runtime)

  override def answer(predicate: Expression, alsoBySpark: Boolean): Source.Answer =
    if (atRunTime.contains(predicate))
      Source.does(Layer.Skipped, "the source receives the values once they are known")
    else
      // The plan takes precedence over the second push-down: if Spark does not evaluate a
      // predicate, the source does.
      (Try(answers(predicate)), alsoBySpark) match {
        case (Success(handled @ Right(Seq(Step(Layer.Evaluated, _)))), _) => handled
        case (_, false) => Source.does(Layer.Pushed, "the source answers it")
        case (said, true) => said.get
      }

  private lazy val answers: Expression => Source.Answer = table match {
    case readable: SupportsRead => answersOf(readable.newScanBuilder(relation.relation.options))
    case _ => _ => Source.blamed(NotPushedReason.TakesNone)
  }

  private def answersOf(builder: ScanBuilder): Expression => Source.Answer = {
    val plain = offered.filter(p => p.deterministic && !SubqueryExpression.hasSubquery(p))
    builder match {
      case r: SupportsPushDownFilters =>
        val form = Translation.v1(_: Expression, nested = true)
        val filters = plain.flatMap(form(_))
        val returned = r.pushFilters(filters.toArray).toSet
        said(builder, filters, r.pushedFilters().toSet, returned, form)(
          Untranslated.v1(_, nested = true))
      case r: SupportsPushDownV2Filters =>
        val form = Translation.v2(_: Expression)
        val predicates = plain.flatMap(form(_))
        val returned = r.pushPredicates(predicates.toArray).toSet
        said(builder, predicates, r.pushedPredicates().toSet, returned, form)(Untranslated.v2)
      case _ => _ => Source.blamed(NotPushedReason.TakesNone)
    }
  }

  private def said[F](
      builder: ScanBuilder,
      filters: Seq[F],
      taken: Set[F],
      returned: Set[F],
      form: Expression => Option[F])(
      untranslated: Expression => NotPushed): Expression => Source.Answer = {
    val handled = builder match {
      case t: ReportsPushdown => t.steps(filters)
      case _ => Map.empty[Any, Step]
    }
    predicate =>
      form(predicate) match {
        case None => Left(untranslated(predicate))
        case Some(f) if handled.contains(f) => Right(Seq(handled(f)))
        case Some(f) if !returned(f) => Source.does(Layer.Pushed, "the source answers it")
        case Some(f) if taken(f) =>
          Source.does(Layer.Pushed, "the source leaves out what it can by it")
        case _ => Source.blamed(NotPushedReason.SourceDeclines)
      }
  }
}
