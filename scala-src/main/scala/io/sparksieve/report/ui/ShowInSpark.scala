// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.report.ui

import scala.util.control.NonFatal

import org.apache.spark.internal.Logging
import org.apache.spark.scheduler.SparkListenerEvent
import org.apache.spark.sql.sieve.{ContextConf, Tab, TabContent, TabInHistory, TabPage}

import io.sparksieve.conf.SieveConf
import io.sparksieve.report.core.PlanningLog

/**
 * Shows Sieve's verdicts where Spark's users look: in a tab of Spark's UI, in the history server,
 * and, if that is switched on, in `EXPLAIN`. If any of it fails, the session works without it.
 */
private[sparksieve] object ShowInSpark extends Logging {

  /** Attaches to the application of the session that is being made; does nothing the second time. */
  def apply(): Unit =
    try {
      ContextConf.active.foreach { context =>
        def attached = Tab.attach(context, SieveTab)(NoteQuery(_), () => PlanningLog.stop())
        if (ContextConf.isOn(context, SieveConf.UI_ENABLED) && attached) PlanningLog.start()
        if (ContextConf.isOn(context, SieveConf.EXPLAIN_ENABLED)) {
          PlanningLog.start()
          ExplainProvider.className match {
            case Some(name) => ContextConf.append(context, Providers, name)
            case None =>
              logWarning(
                s"${SieveConf.EXPLAIN_ENABLED.key} needs Spark 4.0 or later; " +
                  "use SELECT * FROM sieve_report('...') instead.")
          }
        }
      }
    } catch {
      case e @ (NonFatal(_) | _: LinkageError) =>
        logWarning(s"Sieve could not show its verdicts in Spark's UI or in EXPLAIN: $e", e)
    }

  private final val Providers = "spark.sql.extendedExplainProviders"
}

/** The tab "Sieve" of Spark's UI. */
private[ui] object SieveTab extends TabContent[SieveQuery]("Sieve") {

  override def row(event: SparkListenerEvent): Option[SieveQuery] = event match {
    case ended: SieveQueryEnded => Some(new SieveQuery(ended.executionId, ended))
    case _ => None
  }

  override def pages: Seq[TabPage[SieveQuery]] = Seq(
    TabPage("", "Sieve", ApplicationPage(_, _)),
    TabPage("query", "Sieve: one query", QueryPage(_, _)))
}

/** Adds the tab in the history server, which finds the class by its name in `META-INF/services`. */
private[ui] final class SieveHistoryPlugin extends TabInHistory(SieveTab)
