// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.soak

import org.apache.spark.sql.sieve.Residue

import io.sparksieve.conf.SieveConf

/** What an application held when some of its work was done, and when all was. */
final case class Growth(early: Residue, late: Residue) {
  import Growth._

  private def heap = math.max(0, late.heap - early.heap)

  private def count(name: String) = math.max(0, late.counts(name) - early.counts(name))

  /** What grew more than in another application, as text. */
  def beyond(other: Growth): Seq[String] = {
    val counts = late.counts.keys.toSeq.sorted.flatMap { name =>
      if (count(name) <= other.count(name) + other.count(name) / 4 + margin(name)) None
      else Some(s"$name grew by ${count(name)}, without Sieve by ${other.count(name)}")
    }
    // How many threads Spark's pools have is a matter of time.
    val threads =
      late.threads.toSeq.sorted.filter(_._1.startsWith("sieve")).flatMap { case (name, n) =>
        val before = early.threads.getOrElse(name, 0)
        if (n <= before + 2) None else Some(s"$n threads $name, $before before")
      }
    val bytes =
      if (heap <= other.heap + HeapMargin) Nil
      else Seq(s"the heap grew by ${heap >> 10} KB, without Sieve by ${other.heap >> 10} KB")
    counts ++ threads ++ bytes
  }
}

object Growth {

  /**
   * Bytes by which the heap may grow more. Without Sieve it grows by up to 3 MB from one time to the
   * next; a thousand sessions that are not let go hold hundreds.
   */
  private val HeapMargin = 8L << 20

  /** By how many of its kind a count may grow more. */
  private def margin(name: String): Int = name match {
    // Spark generates classes for some queries, and holds the code of the last hundred.
    case "classes" => 200
    // Spark's scheduler keeps a job now and then that has ended, with its plan and about 50 of
    // each. Spark also holds the last plan of each stream, in which Sieve has operators with metrics.
    case "accumulators" | "blocks" => 110
    case _ => 5
  }

  /**
   * Does work in two parts, without Sieve and then with it, with the configs that say so. Returns
   * what the parts find wrong, and what grew from the end of the first part to that of the second
   * with Sieve only: Spark holds more and more too.
   */
  def compared(trial: Trial)(
      first: Map[String, String] => Seq[String],
      second: Map[String, String] => Seq[String]): Seq[String] = {
    def side(sieve: Boolean): (Seq[String], Growth) = {
      val confs = Map(SieveConf.ENABLED.key -> sieve.toString)
      def held(part: String): Residue = {
        val residue = Residue.of(trial.spark, trial.folder)
        println(s"   Sieve ${if (sieve) "on" else "off"}, after the $part part: ${residue.show}")
        residue
      }
      val wrong = first(confs)
      val early = held("first")
      val more = second(confs)
      ((wrong ++ more).distinct, Growth(early, held("second")))
    }
    val (wrongOff, off) = side(sieve = false)
    val (wrongOn, on) = side(sieve = true)
    wrongOff ++ wrongOn ++ on.beyond(off)
  }
}
