package io.sparksieve.differential.bulkfilter

import scala.util.{Failure, Success, Try}

import org.apache.spark.sql.{DataFrame, QueryTest, SparkSession}
import org.apache.spark.sql.internal.SQLConf

import io.sparksieve.{Confs, SieveConf}
import io.sparksieve.bulkfilter.KeysTooLargeException
import io.sparksieve.differential.{Answer, Query}

/** Where in a query the predicate stands. */
sealed abstract class Place(val onlyExists: Boolean)

object Place {

  case object Where extends Place(onlyExists = true)

  /** Two filters, of which the second is over an aggregation by the keys. */
  case object Having extends Place(onlyExists = true)

  /** In a column of the result, NULL and all. */
  case object Selected extends Place(onlyExists = false)

  /** It decides between values. */
  case object Case extends Place(onlyExists = false)

  /** Beside the equal keys of a join. */
  case object Joined extends Place(onlyExists = false)

  /** The condition of an outer join of the rows with some of themselves. */
  case object Outer extends Place(onlyExists = false)

  /** Which rows an aggregate takes. */
  case object Aggregated extends Place(onlyExists = false)

  /** Behind a predicate that fails for rows which the leaves, or what guards them, drop. */
  case object Failing extends Place(onlyExists = false)

  /** The filtered rows are cached, and read twice. */
  case object Cached extends Place(onlyExists = true)
}

/**
 * A random query of the bulk-filter room: with in_file and in_table if Sieve is on, without if it is
 * off.
 *
 * @param rows
 *   the table that is filtered
 * @param columns
 *   its columns
 */
final case class BulkQuery(
    rows: String,
    columns: Vector[String],
    node: BulkNode,
    place: Place,
    settings: Map[String, String])
    extends Query {

  override def before: Seq[String] = Nil

  override def after: Seq[String] =
    if (place == Place.Cached)
      Seq("UNCACHE TABLE", "DROP VIEW").map(_ + s" IF EXISTS ${BulkQuery.View}")
    else Nil

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
        // It fails for each row for which the predicate is false or NULL, and for no other.
        s"SELECT * FROM $rows AS t WHERE $predicate " +
          s"AND assert_true($predicate) IS NULL"
    }
  }

  /** What Spark is given without Sieve. */
  private def alone: String = sql(if (place.onlyExists) Form.Exists else Form.Arrays)

  override def dataFrame(spark: SparkSession): DataFrame = {
    val sieve = spark.conf.get(SieveConf.ENABLED.key).toBoolean
    val query = if (sieve) text else alone
    if (place != Place.Cached) {
      if (sieve) BulkQuery.assertSameForms(spark, query)
      spark.sql(query)
    } else {
      after.foreach(spark.sql(_))
      spark.sql(s"CACHE TABLE ${BulkQuery.View} AS $query")
      val view = BulkQuery.View
      spark.sql(s"SELECT * FROM $view UNION ALL SELECT * FROM $view")
    }
  }

  override def mergesStrings: Boolean = false

  // The two queries are different ones, so that their plans say nothing.
  override def readsTheSame: Boolean = false

  /** The same with each file as an array, interpreted. */
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

  /** Asserts that values which are joined answer as those in memory, unless the plan is refused. */
  private def assertSameForms(spark: SparkSession, query: String): Unit = {
    def rows(caps: (String, String)*) =
      Confs.during(spark, caps.toMap)(Try(spark.sql(query).collect().toSeq))
    val leaf = SieveConf.BULK_FILTER_MAX_LEAF_BYTES.key
    val whole = SieveConf.BULK_FILTER_MAX_QUERY_BYTES.key
    // What fails in memory may fail otherwise, or for other rows first.
    rows(leaf -> "256m", whole -> "1g").foreach { memory =>
      val small = Seq(leaf -> "1b", leaf -> "200b", whole -> "1b", whole -> "600b")
      rows(small(Math.floorMod(query.hashCode, small.size))) match {
        case Success(joined) =>
          QueryTest.sameRows(memory, joined).foreach { difference =>
            throw new IllegalStateException(s"Joined, the values answer otherwise: $difference")
          }
        case Failure(_: KeysTooLargeException) =>
        case Failure(e) => throw new IllegalStateException("Joined, the values make an error.", e)
      }
    }
  }

  /** What [[Place.Cached]] reads. */
  val View = "bulk_cached"
}
