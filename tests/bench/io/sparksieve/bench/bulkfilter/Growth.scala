// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bench.bulkfilter

import io.sparksieve.bench.{Case, CaseGroup, Figures, LoopCase, Variant}
import io.sparksieve.bulkfilter.api.BulkFilter

/**
 * How times grow with the number of leaves and of keys. Off is Spark's own plan if Spark can finish
 * it; otherwise off is the formula that generated the files.
 */
object Growth extends CaseGroup {

  override def position: Int = 2

  private val Leaves = Seq(1, 2, 4, 10, 20, 50, 100)
  private val MostJoins = 4

  override def cases(rows: Long): Seq[Case] = leaves(rows) ++ keys(rows) ++ planning(rows)

  /**
   * Numbers without gaps, as ids are; a hundred files of any other values do not fit into memory.
   */
  private def wide(rows: Long) =
    new Data(rows, (rows / 10).max(10), files = Leaves.max, apart = 1)

  private def leaves(rows: Long) = {
    val data = wide(rows)
    for {
      n <- Leaves
      (how, conf) <- Seq("cold" -> Setup.Cold, "kept" -> keepAll)
    } yield Setup.filter(
      s"leaves/$how/$n",
      s"$n leaves of ${Figures.count(data.keys)} keys",
      data,
      tree(data, n),
      conf,
      exists = n <= MostJoins,
      document = n <= MostJoins
    )
  }

  private val keepAll = Map("spark.sieve.bulkFilter.maxCacheBytes" -> "2g")

  private def keys(rows: Long) = for {
    exponent <- 3 to 7
    keys = math.pow(10, exponent.toDouble).toLong if keys <= rows.max(1000)
    data = new Data(rows, keys, files = 4, Data.FarApart)
    joins = keys <= 1000000
  } yield Setup.filter(
    s"keys/1e$exponent",
    s"four leaves of ${Figures.count(keys)} keys",
    data,
    tree(data, 4),
    Setup.Cold,
    exists = joins,
    document = joins)

  private def planning(rows: Long) = {
    val data = wide(rows)
    for (n <- Seq(4, 100)) yield {
      val text = new Rendering(data, tree(data, n))
      LoopCase(
        s"planning/$n",
        s"analysis and planning of $n leaves, off with EXISTS; on is to take 500 ms at most",
        text.sieve) { bench =>
        bench.prepare(bench.extended, data.tables)
        def plan(variant: Variant)(): Long =
          bench.withConf(bench.extended, Setup.Broadcast ++ variant.conf) {
            bench.query(bench.extended, variant.sql).executedPlan.output.length.toLong
          }
        Seq(
          Variant.Off -> plan(Variant.off(text.exists)) _,
          Variant.On -> plan(Variant.on(text.sieve)) _)
      }
    }
  }

  /** A tree of `n` leaves with alternating levels of AND and OR; every third leaf excludes. */
  private def tree(data: Data, n: Int): BulkFilter = {
    def nest(numbers: Seq[Int], operator: String): BulkFilter = {
      val other = if (operator == "AND") "OR" else "AND"
      val parts = numbers.grouped((numbers.length + 2) / 3).toList
      BulkFilter(
        operator,
        parts.map {
          case Seq(i) => Left(data.leaf(i, if (i % 3 == 2) "Exclude" else "Include"))
          case several => Right(nest(several, other))
        })
    }
    nest(0 until n, "OR")
  }
}
