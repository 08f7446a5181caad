package io.sparksieve.report.pushdown

import org.apache.spark.sql.catalyst.expressions.{Left => _, Right => _, _}
import org.apache.spark.sql.connector.catalog.SupportsRead
import org.apache.spark.sql.connector.read.{SupportsPushDownFilters, SupportsPushDownV2Filters}
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2ScanRelation
import org.apache.spark.sql.execution.datasources.v2.jdbc.JDBCTable
import org.apache.spark.sql.sieve.Translation

/**
 * A table of the second API. Which predicates it took is not in a plan, so it is asked again, by a
 * builder of a scan that is made for that and thrown away, as Spark does each time it plans.
 *
 * @param offered
 *   all that Spark offered, because a source may take some for the sake of others
 * @param runtime
 *   what the scan is told when other parts of the query have run
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

  override val place: String = relation.relation.name

  override def own: Seq[Expression] = runtime

  private val atRunTime = ExpressionSet(runtime)

  override def answer(predicate: Expression, askedBySpark: Boolean): Source.Answer =
    if (atRunTime.contains(predicate))
      Source.does(Layer.Skipped, "the source is told the values once they are known")
    else if (!askedBySpark) Source.does(Layer.Pushed, "the source answers it")
    else asked(predicate)

  /** What Spark asks as well: whether the source uses it nevertheless. */
  private lazy val asked: Expression => Source.Answer = {
    val plain = offered.filter(p => p.deterministic && !SubqueryExpression.hasSubquery(p))
    table match {
      case readable: SupportsRead =>
        readable.newScanBuilder(relation.relation.options) match {
          case r: SupportsPushDownFilters =>
            val filters = plain.flatMap(Translation.v1(_, nested = true))
            r.pushFilters(filters.toArray)
            val taken = r.pushedFilters().toSet
            p =>
              said(Translation.v1(p, nested = true).map(taken), Untranslated.v1(p, nested = true))
          case r: SupportsPushDownV2Filters =>
            val predicates = plain.flatMap(Translation.v2)
            r.pushPredicates(predicates.toArray)
            val taken = r.pushedPredicates().toSet
            p => said(Translation.v2(p).map(taken), Untranslated.v2(p))
          case _ => _ => Source.blamed(Obstacle.TakesNone)
        }
      case _ => _ => Source.blamed(Obstacle.TakesNone)
    }
  }

  /** @param taken None if there was no form for it */
  private def said(taken: Option[Boolean], untranslated: => Blame): Source.Answer = taken match {
    case Some(true) => Source.does(Layer.Pushed, "the source leaves out what it can by it")
    case Some(false) => Source.blamed(Obstacle.SourceDeclines)
    case None => Left(untranslated)
  }
}
