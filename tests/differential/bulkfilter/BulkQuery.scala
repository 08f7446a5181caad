// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.differential.bulkfilter

import scala.util.{Failure, Success, Try}

import org.apache.spark.sql.{DataFrame, QueryTest, SparkSession}
import org.apache.spark.sql.internal.SQLConf

import io.sparksieve.Confs
import io.sparksieve.bulkfilter.load.KeysTooLargeException
import io.sparksieve.conf.SieveConf
import io.sparksieve.differential.{Answer, Cached, Query, Session}
import io.sparksieve.differential.judgement.Disagreement

/** The position of the predicate in a query. */
sealed abstract class Place(val onlyExists: Boolean)

object Place {

  case object Where extends Place(onlyExists = true)

  /** In a filter over an aggregation by all columns, together with a condition on the count. */
  case object Having extends Place(onlyExists = true)

  /** In a column of the result, where NULL is visible. */
  case object Selected extends Place(onlyExists = false)

  /** In a CASE, which selects between values. */
  case object Case extends Place(onlyExists = false)

  /** In the condition of an inner join, next to its equi-join key. */
  case object Joined extends Place(onlyExists = false)

  /** In the condition of an outer join, next to its equi-join key. */
  case object Outer extends Place(onlyExists = false)

  /** In the FILTER of an aggregate. */
  case object Aggregated extends Place(onlyExists = false)

  /** Next to a predicate that throws for rows that the leaves, or their guards, drop. */
  case object Failing extends Place(onlyExists = false)

  /** The filtered rows are cached, and read twice. */
  case object Cached extends Place(onlyExists = true)
}

/**
 * A random query of the bulk-filter feature: with in_file and in_table if Sieve is on, and without
 * them if Sieve is off.
 *
 * @param rows
 *   the table that is filtered
 * @param columns
 *   its columns
 * @param view
 *   the query of the view [[RandomBulkNodes.Redefined]], if the predicate may read it
 * @param bothForms
 *   compare values in memory with values that are joined, which takes two more runs
 */
final case class BulkQuery(
    rows: String,
    columns: Vector[String],
    node: BulkNode,
    place: Place,
    view: Option[String],
    bothForms: Boolean,
    settings: Map[String, String])
    extends Query {

  override def before: Seq[String] =
    view.map(v => s"CREATE OR REPLACE TEMPORARY VIEW ${RandomBulkNodes.Redefined} AS $v").toSeq

  override def after: Seq[String] =
    if (place == Place.Cached) Cached.forget(BulkQuery.View) else Nil

  override def text: String = sql(Form.Sieve)

  private def sql(form: Form): String = {
    val predicate = node.sql(form)
    val filtered = s"SELECT * FROM $rows AS t WHERE $predicate"
    place match {
      case Place.Where | Place.Cached => filtered
      case Place.Having =>
        val names = columns.mkString(", ")
        s"SELECT * FROM (SELECT $names, count(*) AS n FROM $rows GROUP BY $names) AS t " +
          s"WHERE $predicate AND n > 0"
      case Place.Selected => s"SELECT t.*, $predicate AS found FROM $rows AS t"
      case Place.Case =>
        s"SELECT CASE WHEN $predicate THEN 'in' WHEN NOT ($predicate) THEN 'out' END AS side, " +
          s"count(*) AS n FROM $rows AS t GROUP BY 1"
      case Place.Joined =>
        s"SELECT t.*, id FROM $rows AS t JOIN range(3) AS r " +
          s"ON pmod(hash(t.${columns.head}), 2) = r.id AND ($predicate OR r.id = 2)"
      case Place.Outer =>
        s"SELECT t.*, id FROM $rows AS t LEFT JOIN range(3) AS r " +
          s"ON pmod(hash(t.${columns.head}), 2) = r.id AND $predicate"
      case Place.Aggregated =>
        s"SELECT pmod(hash(t.${columns.head}), 3) AS part, count(*) FILTER (WHERE $predicate) AS n, " +
          s"count_if(NOT $predicate) AS others FROM $rows AS t GROUP BY 1"
      case Place.Failing =>
        // assert_true throws for each row for which the predicate is false. In interpreted
        // evaluation, a row for which the predicate is NULL reaches assert_true too, unless Spark
        // has inferred that some column is not NULL.
        s"SELECT * FROM $rows AS t WHERE $predicate " +
          s"AND assert_true(coalesce($predicate, TRUE)) IS NULL"
    }
  }

  /** The query that runs without Sieve. */
  private def alone: String = sql(if (place.onlyExists) Form.Exists else Form.Arrays)

  override def dataFrame(spark: SparkSession): DataFrame = {
    val sieve = spark.conf.get(SieveConf.ENABLED.key).toBoolean
    val query = if (sieve) text else alone
    if (place != Place.Cached) {
      if (sieve && bothForms) BulkQuery.assertSameForms(spark, query)
      spark.sql(query)
    } else {
      after.foreach(spark.sql(_))
      spark.sql(s"CACHE TABLE ${BulkQuery.View} AS $query")
      val view = BulkQuery.View
      spark.sql(s"SELECT * FROM $view UNION ALL SELECT * FROM $view")
    }
  }

  override def mergesStrings: Boolean = false

  // The two runs have different queries, so a comparison of their plans proves nothing.
  override def readsTheSame: Boolean = false

  /** The same query with each file as an array, by interpreted evaluation. */
  override def oracle(spark: SparkSession, run: String => Answer): Answer =
    Confs.during(
      spark,
      Map(
        SQLConf.WHOLESTAGE_CODEGEN_ENABLED.key -> "false",
        SQLConf.CODEGEN_FACTORY_MODE.key -> "NO_CODEGEN",
        SQLConf.ADAPTIVE_EXECUTION_ENABLED.key -> "false"
      )
    ) {
      val query = sql(Form.Arrays)
      run(if (place == Place.Cached) s"$query UNION ALL $query" else query)
    }

  override def simpler: Seq[Query] =
    (if (place == Place.Where) Nil else Seq(copy(place = Place.Where))) ++
      node.simpler.map(n => copy(node = n)) ++
      settings.keys.toSeq.sorted.map(k => copy(settings = settings - k))
}

object BulkQuery {

  /**
   * Asserts that values that are joined give the same rows as values in memory, unless the plan is
   * refused.
   */
  private def assertSameForms(spark: SparkSession, query: String): Unit = {
    def rows(caps: (String, String)*) =
      Confs.during(spark, caps.toMap)(Try(spark.sql(query).collect().toSeq))
    val leaf = SieveConf.BULK_FILTER_MAX_LEAF_BYTES.key
    val whole = SieveConf.BULK_FILTER_MAX_QUERY_BYTES.key
    // A query that fails in memory may fail differently with a join, or for other rows first.
    rows(leaf -> "256m", whole -> "1g").foreach { memory =>
      val small = Seq(leaf -> "1b", leaf -> "200b", whole -> "1b", whole -> "600b")
      // The same for each run: the folder is new each time.
      val chosen = query.replace(Session.folder.getPath, "").hashCode
      rows(small(Math.floorMod(chosen, small.size))) match {
        case Success(joined) =>
          QueryTest.sameRows(memory, joined).foreach { difference =>
            throw new Disagreement(s"joined, the values give other rows: $difference")
          }
        case Failure(_: KeysTooLargeException) =>
        case Failure(e) => throw new Disagreement("joined, the values make an error", e)
      }
    }
  }

  /** The view that [[Place.Cached]] reads. */
  val View = "bulk_cached"
}
