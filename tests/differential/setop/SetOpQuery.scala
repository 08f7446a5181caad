// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.differential.setop

import org.apache.spark.sql.{DataFrame, SparkSession}

import io.sparksieve.differential.{Answer, Query}

/**
 * A random query of the set-operation feature.
 *
 * @param api
 *   whether the query is SQL text or built through the DataFrame API
 */
final case class SetOpQuery(node: Node, api: SetOpQuery.Api, settings: Map[String, String])
    extends Query {

  private def bases = node.bases.distinct

  override def before: Seq[String] = bases.flatMap(_.views).distinct.map(_._2)

  override def after: Seq[String] =
    bases.flatMap(_.views).distinct.map { case (name, _) => s"DROP VIEW IF EXISTS $name" }

  override def text: String = api match {
    case SetOpQuery.Sql => sql
    case other => s"-- through the DataFrame API ($other); as SQL:\n$sql"
  }

  private def sql: String = node match {
    case w: Wrap if w.asCte => withCtes(w.level.sql("cte1"), Seq("cte1" -> w.child.sql))
    case other => withCtes(other.sql)
  }

  private def withCtes(body: String, more: Seq[(String, String)] = Nil): String = {
    val ctes = (bases.flatMap(_.ctes) ++ more).distinct
    if (ctes.isEmpty) body
    else ctes.map { case (name, text) => s"$name AS ($text)" }.mkString("WITH ", ", ", " ") + body
  }

  override def dataFrame(spark: SparkSession): DataFrame = api match {
    case SetOpQuery.Sql => spark.sql(sql)
    case SetOpQuery.DataFrames(shared, variables) =>
      val written = if (variables) new SessionVariable(spark) else identity[String](_)
      def read(base: Base) = spark.sql(withCtes(s"SELECT * FROM ${base.from}"))
      new DataFrames(read, shared, written)(node)
  }

  override def mergesStrings: Boolean = node.mergesStrings

  override def oracle(spark: SparkSession, run: String => Answer): Answer = {
    def types(query: String) = spark.sql(query).schema.map(_.dataType)
    new Oracle(run, types)(node, withCtes(_))
  }

  override def simpler: Seq[Query] = node.simpler.map(n => copy(node = n)) ++
    settings.keys.toSeq.sorted.map(k => copy(settings = settings - k)) ++
    (if (api == SetOpQuery.Sql) Nil else Seq(copy(api = SetOpQuery.Sql)))
}

object SetOpQuery {
  sealed trait Api

  case object Sql extends Api

  /**
   * @param shared
   *   whether all branches start from one DataFrame, and so from the same attributes
   * @param variables
   *   whether conditions compare with session variables
   */
  final case class DataFrames(shared: Boolean, variables: Boolean) extends Api
}
