package io.sparksieve.differential

import org.apache.spark.sql.internal.SQLConf

/** Confs drawn for each query: none may change the rows, but for the errors of ANSI mode. */
object Settings {

  private val ConvertToLocalRelation =
    "org.apache.spark.sql.catalyst.optimizer.ConvertToLocalRelation"

  def random(dice: Dice): Map[String, String] = {
    // Java code is made and compiled for each query anew, which takes most of a query's time.
    val compiled = dice.chance(12)
    val some = Map(
      SQLConf.ADAPTIVE_EXECUTION_ENABLED.key -> dice.chance(50).toString,
      SQLConf.ANSI_ENABLED.key -> dice.chance(50).toString,
      // One partition needs no shuffle, and is quicker.
      SQLConf.SHUFFLE_PARTITIONS.key -> dice.weighted(60 -> "1", 40 -> "2"),
      SQLConf.WHOLESTAGE_CODEGEN_ENABLED.key -> compiled.toString,
      SQLConf.CODEGEN_FACTORY_MODE.key ->
        (if (compiled) "FALLBACK" else dice.weighted(88 -> "NO_CODEGEN", 12 -> "CODEGEN_ONLY"))
    )
    // Small tables would be evaluated while the query is planned.
    val excluded =
      if (dice.chance(60)) Map(SQLConf.OPTIMIZER_EXCLUDED_RULES.key -> ConvertToLocalRelation)
      else Map.empty
    val joins =
      if (dice.chance(30)) Map(SQLConf.AUTO_BROADCASTJOIN_THRESHOLD.key -> "-1") else Map.empty
    some ++ excluded ++ joins
  }
}
