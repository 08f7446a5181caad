// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bench

/**
 * A fact table and its dimensions.
 *
 * @param snowflake
 *   whether each dimension is joined to the one before it, instead of the fact table
 */
final case class Star(dimensions: Int, snowflake: Boolean = false) {

  private val all = 1 to dimensions

  private def prefix = s"of-$dimensions${if (snowflake) "-in-a-row" else ""}"

  private def view(d: Int) = if (snowflake) s"part_$d" else s"dim_$d"

  private val dimension = DataSet(
    s"dimension-$prefix",
    100,
    "SELECT id AS key, id * 7 % 100 AS next, cast(id % 10 AS INT) AS amount, " +
      "concat('a', id) AS name FROM ids",
    files = 1)

  private val fact = DataSet(
    s"fact-$prefix",
    1000,
    "SELECT id, cast(id % 100 AS DECIMAL(7, 2)) AS price, " +
      all.map(d => s"id * $d % 100 AS key_$d").mkString(", ") + " FROM ids",
    files = 1
  )

  /** Each dimension has its own files, so that no two dimensions are the same table. */
  val tables: Seq[Table] = Table("fact", fact) +: all.map { d =>
    Table(view(d), dimension.copy(name = s"dimension-$prefix-$d"))
  }

  def query(more: String): String = {
    val joins = all
      .map { d =>
        val key = if (snowflake && d > 1) s"${view(d - 1)}.next" else s"fact.key_$d"
        s"JOIN ${view(d)} ON $key = ${view(d)}.key"
      }
      .mkString(" ")
    val filters = all.map(d => s"${view(d)}.amount > ${d % 8}").mkString(" AND ")
    s"""SELECT ${view(1)}.name, ${view(2)}.name AS name_2, sum(fact.price) AS total,
       |  avg(CASE WHEN ${view(3)}.amount > 5 THEN fact.price END) AS some
       |FROM fact $joins WHERE $filters $more
       |GROUP BY ${view(1)}.name, ${view(2)}.name HAVING sum(fact.price) > 100
       |ORDER BY total DESC LIMIT 100""".stripMargin
  }
}
