// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bench

/** A fact table and seven dimensions. */
object Star {

  private val Dimensions = 1 to 7

  private val dimension = DataSet(
    "dimension",
    100,
    "SELECT id AS key, cast(id % 10 AS INT) AS amount, concat('a', id) AS name FROM ids",
    files = 1)

  private val fact = DataSet(
    "fact",
    1000,
    "SELECT id, cast(id % 100 AS DECIMAL(7, 2)) AS price, " +
      Dimensions.map(d => s"id * $d % 100 AS key_$d").mkString(", ") + " FROM ids",
    files = 1
  )

  /** Each dimension has its own files, so that no two dimensions are the same table. */
  val tables: Seq[Table] = Table("fact", fact) +: Dimensions.map { d =>
    Table(s"dim_$d", dimension.copy(name = s"dimension-$d"))
  }

  def query(more: String): String = {
    val joins = Dimensions.map(d => s"JOIN dim_$d ON fact.key_$d = dim_$d.key").mkString(" ")
    val filters = Dimensions.map(d => s"dim_$d.amount > $d").mkString(" AND ")
    s"""SELECT dim_1.name, dim_2.name AS name_2, sum(fact.price) AS total,
       |  avg(CASE WHEN dim_3.amount > 5 THEN fact.price END) AS some
       |FROM fact $joins WHERE $filters $more
       |GROUP BY dim_1.name, dim_2.name HAVING sum(fact.price) > 100
       |ORDER BY total DESC LIMIT 100""".stripMargin
  }
}
