// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.differential.judgement

import scala.util.control.NonFatal

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.internal.SQLConf

import io.sparksieve.Confs

/**
 * A known bug of Spark that returns wrong rows.
 *
 * @param id
 *   a stable name
 * @param why
 *   a description in one sentence
 * @param without
 *   confs under which Spark without Sieve returns the right rows; they identify the bug
 */
final case class KnownOfSpark(id: String, why: String, without: Map[String, String])

object KnownOfSpark {

  /** This one has no conf; its error identifies it. */
  val OrcNullInList: KnownOfSpark = KnownOfSpark(
    "orc-null-in-list",
    "Spark fails when it gives an IN with a NULL in its list to an ORC scan; without Sieve such a" +
      " scan may not be read at all.",
    Map.empty
  )

  /** This one is identified by its error too, and by the oracle's, which reads every file. */
  val UnreadableFile: KnownOfSpark = KnownOfSpark(
    "unreadable-file",
    "A file that Spark cannot read as the table's type fails as soon as it is read; without Sieve a" +
      " side may not be read at all, because the other side is empty.",
    Map.empty
  )

  /** Identified by its error, which arises before a source sees a filter. */
  val NullInSourceCondition: KnownOfSpark = KnownOfSpark(
    "null-in-source-condition",
    "Spark 3.5 cannot build the condition `p OR NULL` within a function for a DSv2 source, whatever" +
      " the source.",
    Map.empty
  )

  /** Identified by the same error without Sieve and without adaptive execution. */
  val CancelledStage: KnownOfSpark = KnownOfSpark(
    "cancelled-stage",
    "Adaptive execution starts stages at the same time, and cancels those that an empty side makes" +
      " useless; whether a stage fails before that is a matter of time.",
    Map(SQLConf.ADAPTIVE_EXECUTION_ENABLED.key -> "false")
  )

  /** Whether it happens is a matter of time. */
  val OneRow: KnownOfSpark = KnownOfSpark(
    "one-row",
    "Adaptive execution drops a DISTINCT over a single row, if it knows the number in time; the row" +
      " keeps -0.0, of which the DISTINCT makes 0.0.",
    Map(
      SQLConf.ADAPTIVE_OPTIMIZER_EXCLUDED_RULES.key ->
        "org.apache.spark.sql.catalyst.optimizer.OptimizeOneRowPlan")
  )

  /** Identified by the source. Both runs return the same rows. */
  val CorruptFile: KnownOfSpark = KnownOfSpark(
    "corrupt-file",
    "Where corrupt files are ignored, the rows of such a file that Spark keeps depend on the columns" +
      " and filters of the scan and on the reader.",
    Map.empty
  )

  private def excluding(rules: String*) =
    Map(
      SQLConf.OPTIMIZER_EXCLUDED_RULES.key -> rules
        .map("org.apache.spark.sql.catalyst.optimizer." + _)
        .mkString(","))

  /** The most frequent bugs first, because each is checked by running the query again. */
  val all: Seq[KnownOfSpark] = Seq(
    KnownOfSpark(
      "push-down",
      "Spark gives comparisons to Parquet and ORC readers that skip by bounds which leave NaN out," +
        " tell 0.0 from -0.0, or are coarser than the literal.",
      Truth.NoPushDown
    ),
    KnownOfSpark(
      "cached-batches",
      "Spark skips batches of cached rows by bounds that leave NaN out.",
      Map(SQLConf.IN_MEMORY_PARTITION_PRUNING.key -> "false")),
    KnownOfSpark(
      "except-with-filter",
      "Spark's ReplaceExceptWithFilter takes columns for those of their names, and a NULL for FALSE.",
      Map(SQLConf.REPLACE_EXCEPT_WITH_FILTER.key -> "false")
    ),
    KnownOfSpark(
      "inferred-constraints",
      "Spark infers filters from equalities, and puts one of two equal values (0.0 and -0.0, strings" +
        " of a collation) in the place of the other.",
      Map(SQLConf.CONSTRAINT_PROPAGATION_ENABLED.key -> "false")
    ),
    KnownOfSpark(
      "pushed-through-distinct",
      "Spark pushes filters below DISTINCT, GROUP BY and set operations, where they meet values that" +
        " are merged above.",
      excluding("PushDownPredicates", "PushPredicateThroughNonJoin", "PushDownLeftSemiAntiJoin")
    ),
    OneRow
  )

  private val several = KnownOfSpark(
    "several",
    "More than one of the others at once.",
    all.map(_.without).reduce(_ ++ _))

  /** The first known bug whose confs make the run `off` right, if any. */
  def explaining(
      spark: SparkSession,
      off: () => Run,
      isRight: Run => Boolean): Option[KnownOfSpark] =
    (all :+ several).find { known =>
      try Confs.during(spark, known.without)(isRight(off()))
      catch { case NonFatal(_) => false }
    }
}
