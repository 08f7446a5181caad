// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.differential.dynamicfilter

import org.apache.spark.sql.internal.SQLConf

import io.sparksieve.conf.SieveConf
import io.sparksieve.differential.{Dice, Generator, Query, Settings}
import io.sparksieve.differential.expression.Predicates
import io.sparksieve.differential.judgement.OrderDependent
import io.sparksieve.differential.table.Tables

/** Joins in which the filter of one side limits the keys that must be read from the other side. */
object JoinGenerator extends Generator {

  override val feature: String = "dynamicfilter"

  override def rules: Seq[String] = Seq("InjectDynamicFilter")

  override def tables(dice: Dice, folder: String): Tables = new JoinTables(dice, folder)()

  override def query(dice: Dice, tables: Tables): Query = {
    val settings = Settings.random(dice) ++ own(dice)
    // AQE runs stages concurrently, and cancels those whose rows are not needed. Whether the query
    // meets their errors then depends on timing.
    val racing = Seq(SQLConf.ADAPTIVE_EXECUTION_ENABLED, SQLConf.ANSI_ENABLED)
      .forall(e => settings.get(e.key).contains("true"))
    val conditions =
      new Conditions(dice, new Predicates(dice, fallible = !racing && dice.chance(20)))
    val pairs = new KeyPairs(dice, fallible = !racing)
    def made(from: Tables, settings: Map[String, String]) = {
      val (bodies, frame) = new RandomJoins(dice, from, conditions, pairs).query()
      JoinQuery(bodies, frame, settings)
    }
    val query = made(tables, settings)
    val readers = query.bodies.flatMap(_.inputs).map(_.base.mentions(JoinTables.Shrinking)).sum
    if (readers == 0) numbered(dice, query)
    else if (readers == 1 && query.before.isEmpty && query.frame == Frame.Bare)
      query.copy(settings = settings -- rereading)
    // The source returns all of its rows only to its first reader, so two readers differ even
    // without Sieve.
    else made(Tables(tables.all.filter(_.name != JoinTables.Shrinking)), settings)
  }

  /** The query, or sometimes a plain one with a side whose numbers depend on partitions. */
  private def numbered(dice: Dice, query: JoinQuery): Query = query.bodies match {
    case Vector(body) if query.frame == Frame.Bare && body.form == Form.Plain && dice.chance(15) =>
      val side = Numbered.of(body, OrderDependent.expression(dice))
      val merging = OrderDependent.merging(OrderDependent.partitionBytes(dice))
      side.fold(query) { _ =>
        query.copy(Vector(body.copy(numbered = side)), settings = query.settings ++ merging)
      }
    case _ => query
  }

  /** With these confs, Spark itself reads one side of a join twice. */
  private val rereading = Seq(
    SQLConf.RUNTIME_BLOOM_FILTER_ENABLED.key,
    SQLConf.DYNAMIC_PARTITION_PRUNING_REUSE_BROADCAST_ONLY.key)

  /** Confs that determine how a join is planned, and how its filter is built and placed. */
  private def own(dice: Dice): Map[String, String] = {
    import dice.sometimes
    Seq(
      // Settings sets this less often; by default, all of these tables are broadcast.
      sometimes(40, SQLConf.AUTO_BROADCASTJOIN_THRESHOLD.key, "-1"),
      // A few files per partition: with a single partition a join needs no shuffle.
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
      // Spark assumes that a table without statistics has the largest possible size.
      sometimes(80, SieveConf.DYNAMIC_FILTER_MAX_BUILD_BYTES.key, s"${Long.MaxValue}b"),
      // Keys of a side that is refused may come from a join below it; others are not collected.
      sometimes(25, SieveConf.DYNAMIC_FILTER_MIN_SCAN_RATIO.key, "0.01", "0.8", "1.5"),
      sometimes(25, SieveConf.DYNAMIC_FILTER_MAX_KEYS.key, "1", "2", "5"),
      sometimes(20, SieveConf.DYNAMIC_FILTER_BLOOM_ENABLED.key, "false"),
      sometimes(20, SieveConf.DYNAMIC_FILTER_BLOOM_MAX_KEYS.key, "1", "3"),
      sometimes(90, SieveConf.DYNAMIC_FILTER_BLOOM_MAX_BYTES.key, "1b", "100b", "64KB"),
      sometimes(5, SieveConf.DYNAMIC_FILTER_MAX_KEY_SET_BYTES.key, "1b", "200b"),
      sometimes(50, SieveConf.DYNAMIC_FILTER_FOOTER_MIN_FILES.key, "1"),
      sometimes(5, SieveConf.DYNAMIC_FILTER_FOOTER_MAX_FILES.key, "1"),
      sometimes(5, SieveConf.DYNAMIC_FILTER_FOOTER_THREADS.key, "1")
    ).reduce(_ ++ _)
  }
}
