package io.sparksieve

import java.util.concurrent.ConcurrentHashMap

import org.apache.spark.internal.Logging
import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule

/**
 * Logs one WARN for each conf under `spark.sieve.` that is no knob of Sieve, naming the nearest
 * one: Spark takes any key, and a misspelt switch would do nothing without a word. Changes no
 * plan; it is a rule because that is where every query passes.
 */
class WarnOfUnknownKnobs(session: SparkSession) extends Rule[LogicalPlan] with Logging {

  private val warned = ConcurrentHashMap.newKeySet[String]()

  override def apply(plan: LogicalPlan): LogicalPlan = {
    SparkCompat.conf(session).getAllConfs.keysIterator.foreach { key =>
      if (key.startsWith(SieveConf.Prefix) && !WarnOfUnknownKnobs.known(key) && warned.add(key)) {
        logWarning(WarnOfUnknownKnobs.warning(key))
      }
    }
    plan
  }
}

object WarnOfUnknownKnobs {

  private val known: Set[String] = SieveConf.all.map(_.key).toSet

  private[sparksieve] def warning(key: String): String = {
    val nearest = known.minBy(k => (distance(key.toLowerCase, k.toLowerCase), k))
    s"There is no knob $key, so it has no effect. The nearest is $nearest."
  }

  /** Levenshtein's distance: how many letters to insert, delete or replace. */
  private def distance(a: String, b: String): Int =
    a.foldLeft((0 to b.length).toVector) { (above, letter) =>
      b.zipWithIndex.foldLeft(Vector(above.head + 1)) { case (row, (other, i)) =>
        val replaced = above(i) + (if (letter == other) 0 else 1)
        row :+ math.min(replaced, math.min(above(i + 1), row.last) + 1)
      }
    }.last
}
