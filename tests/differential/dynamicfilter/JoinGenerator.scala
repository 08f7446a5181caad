package io.sparksieve.differential.dynamicfilter

import org.apache.spark.sql.internal.SQLConf

import io.sparksieve.SieveConf
import io.sparksieve.differential._

/** Joins of which one side's filter says which keys the other side need read. */
object JoinGenerator extends Generator {

  override val room: String = "dynamicfilter"

  override def rules: Seq[String] = Seq("InjectDynamicFilter")

  override def tables(dice: Dice, folder: String): Tables = new JoinTables(dice, folder)()

  override def query(dice: Dice, tables: Tables): Query = {
    val settings = Settings.random(dice) ++ own(dice)
    // AQE runs stages side by side, and cancels those whose rows are not needed: whether their
    // errors are met is then a matter of time.
    val racing = Seq(SQLConf.ADAPTIVE_EXECUTION_ENABLED, SQLConf.ANSI_ENABLED)
      .forall(e => settings.get(e.key).contains("true"))
    val conditions =
      new Conditions(dice, new Predicates(dice, fallible = !racing && dice.chance(20)))
    val pairs = new KeyPairs(dice, fallible = !racing)
    val (bodies, frame) = new RandomJoins(dice, tables, conditions, pairs).query()
    JoinQuery(bodies, frame, settings)
  }

  /** Confs that decide how a join is planned, what its filter is made of and where it goes. */
  private def own(dice: Dice): Map[String, String] = {
    def sometimes(percent: Int, key: String, values: String*) =
      if (dice.chance(percent)) Map(key -> dice.oneOf(values)) else Map.empty[String, String]
    Seq(
      // Settings has it rarely; by default these tables are all broadcast.
      sometimes(40, SQLConf.AUTO_BROADCASTJOIN_THRESHOLD.key, "-1"),
      // A few files a partition: with a single partition a join needs no shuffle.
      sometimes(60, SQLConf.FILES_MAX_PARTITION_BYTES.key, "4kb"),
      sometimes(8, SQLConf.ADAPTIVE_AUTO_BROADCASTJOIN_THRESHOLD.key, "-1", "1kb"),
      sometimes(8, SQLConf.EXCHANGE_REUSE_ENABLED.key, "false"),
      sometimes(8, SQLConf.DYNAMIC_PARTITION_PRUNING_ENABLED.key, "false"),
      sometimes(8, SQLConf.DYNAMIC_PARTITION_PRUNING_REUSE_BROADCAST_ONLY.key, "false"),
      sometimes(10, SQLConf.RUNTIME_BLOOM_FILTER_ENABLED.key, "true"),
      sometimes(10, SQLConf.RUNTIME_BLOOM_FILTER_APPLICATION_SIDE_SCAN_SIZE_THRESHOLD.key, "0"),
      sometimes(10, SQLConf.BUCKETING_ENABLED.key, "false"),
      sometimes(10, SQLConf.AUTO_BUCKETED_SCAN_ENABLED.key, "false"),
      sometimes(15, SQLConf.PREFER_SORTMERGEJOIN.key, "false"),
      sometimes(10, SQLConf.PARQUET_VECTORIZED_READER_ENABLED.key, "false"),
      sometimes(10, SQLConf.ORC_VECTORIZED_READER_ENABLED.key, "false"),
      sometimes(6, SQLConf.PARQUET_FILTER_PUSHDOWN_ENABLED.key, "false"),
      sometimes(4, SQLConf.PARQUET_FILTER_PUSHDOWN_DATE_ENABLED.key, "false"),
      sometimes(4, SQLConf.PARQUET_FILTER_PUSHDOWN_TIMESTAMP_ENABLED.key, "false"),
      sometimes(4, SQLConf.PARQUET_FILTER_PUSHDOWN_DECIMAL_ENABLED.key, "false"),
      sometimes(4, SQLConf.PARQUET_FILTER_PUSHDOWN_INFILTERTHRESHOLD.key, "0"),
      sometimes(4, SQLConf.ORC_FILTER_PUSHDOWN_ENABLED.key, "false"),
      sometimes(4, SQLConf.IGNORE_CORRUPT_FILES.key, "true"),
      sometimes(4, SQLConf.IGNORE_MISSING_FILES.key, "true"),
      sometimes(6, SQLConf.CONSTRAINT_PROPAGATION_ENABLED.key, "false"),
      sometimes(6, SQLConf.USE_V1_SOURCE_LIST.key, "", "csv"),
      // Spark takes a table without statistics for the largest there can be.
      sometimes(80, SieveConf.DYNAMIC_FILTER_MAX_BUILD_BYTES.key, s"${Long.MaxValue}b"),
      sometimes(15, SieveConf.DYNAMIC_FILTER_MAX_KEYS.key, "1", "2", "5"),
      sometimes(5, SieveConf.DYNAMIC_FILTER_MAX_KEY_SET_BYTES.key, "1b", "200b"),
      sometimes(50, SieveConf.DYNAMIC_FILTER_FOOTER_MIN_FILES.key, "1"),
      sometimes(5, SieveConf.DYNAMIC_FILTER_FOOTER_MAX_FILES.key, "1"),
      sometimes(5, SieveConf.DYNAMIC_FILTER_FOOTER_THREADS.key, "1")
    ).reduce(_ ++ _)
  }
}
