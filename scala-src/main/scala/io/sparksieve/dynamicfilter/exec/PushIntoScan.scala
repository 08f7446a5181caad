// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.dynamicfilter.exec

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.execution.{ColumnarRule, SparkPlan}

import io.sparksieve.common.order.SplitsShown
import io.sparksieve.compat.SparkCompat
import io.sparksieve.scan.PushKeys

/**
 * Replaces the source of each [[DynamicFilterExec]] by [[DynamicKeys]], and pushes the same keys
 * into the scan below:
 * {{{
 *   DynamicFilter a IN <Spark's subquery>      DynamicFilter a IN keys
 *   +- Project [b AS a]                   =>   +- Project [b AS a]
 *      +- Filter c > 5                            +- Filter c > 5
 *         +- FileScan [b, c]                         +- DynamicScan [b IN keys]
 *                                                       +- FileScan [b, c]
 * }}}
 * A filter whose subquery Spark has dropped is removed, and one whose keys are not worth their
 * collection ([[WorthCollecting]]) gets none. A filter that already has [[DynamicKeys]] stays
 * unchanged, so the rule is idempotent.
 *
 * See [[PushKeys]] for where the keys are pushed.
 */
private[dynamicfilter] final class PushIntoScan(session: SparkSession) extends Rule[SparkPlan] {

  override def apply(plan: SparkPlan): SparkPlan = {
    // Where files are split depends on how many of them are read.
    lazy val mayNarrow = !SplitsShown(plan)
    WorthCollecting.only(PlanCopysBroadcasts(plan)).transformUp {
      case filter: DynamicFilterExec if isNew(filter) =>
        PhysicalKeySource(filter)
          .fold(filter.child) { keys =>
            val below =
              if (mayNarrow) PushKeys(filter.key, keys, filter.child, SparkCompat.conf(session))
              else None
            filter.copy(source = keys, child = below.getOrElse(filter.child))
          }
    }
  }

  private def isNew(filter: DynamicFilterExec) = filter.source match {
    case _: DynamicKeys | _: NotCollected => false
    case _ => true
  }
}

/**
 * Runs [[PushIntoScan]] when Spark finishes a physical plan, including those of adaptive query
 * stages. Runs before Spark inserts columnar transitions, while no transition separates scans from
 * the filters above them.
 */
private[sparksieve] final class PushIntoScanRule(session: SparkSession) extends ColumnarRule {

  override def preColumnarTransitions: Rule[SparkPlan] = new PushIntoScan(session)
}
