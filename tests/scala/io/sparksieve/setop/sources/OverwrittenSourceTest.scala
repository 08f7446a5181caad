// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop.sources

import java.io.File

import org.apache.spark.sql.{DataFrame, Row}
import org.apache.spark.sql.functions.col
import org.apache.spark.sql.internal.SQLConf

import io.sparksieve.report.core.{Features, Reason, Report}
import io.sparksieve.setop.SetOpTest

/** For commands that overwrite what their query reads. */
trait OverwrittenSourceTest extends SetOpTest {

  protected def queries(t: DataFrame): Seq[DataFrame] = Seq(
    t.exceptAll(t.where("id < 3")),
    t.where("id >= 3").intersectAll(t),
    t.as("l").join(t.where("id < 3").as("r"), col("l.id") === col("r.id"), "left_anti"),
    t.as("l").join(t.where("id >= 3").as("r"), col("l.id") === col("r.id"), "left_semi")
  )

  protected def withNumbers(body: File => Unit): Unit = withTempPath { dir =>
    withConf(
      SQLConf.ADAPTIVE_EXECUTION_ENABLED.key -> "true",
      SQLConf.AUTO_BROADCASTJOIN_THRESHOLD.key -> "-1")(body(dir))
  }

  protected def write(to: File): Unit = spark.range(10).write.mode("overwrite").parquet(to.getPath)

  /** The reasons of the verdicts on the set operations of a command; None for what was applied. */
  protected def reasons(command: => Unit): Set[Option[Reason]] =
    Report.collecting(command)._2.filter(_.feature == Features.SetOp).map(_.reason).toSet

  protected val Refused = Set[Option[Reason]](Some(Reason.OverwrittenSource))

  protected val kept = (3L until 10L).map(Row(_))
}
