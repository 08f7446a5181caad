// SPDX-License-Identifier: Apache-2.0
package org.apache.spark.sql.sieve

import scala.reflect.ClassTag
import scala.util.control.NonFatal
import scala.xml.Node

import org.apache.spark.{SparkConf, SparkContext}
import org.apache.spark.internal.Logging
import org.apache.spark.scheduler.{SparkListener, SparkListenerEvent}
import org.apache.spark.sql.execution.ui.SQLExecutionUIData
import org.apache.spark.sql.internal.StaticSQLConf.UI_RETAINED_EXECUTIONS
import org.apache.spark.status.{AppHistoryServerPlugin, ElementTrackingStore, KVUtils}
import org.apache.spark.ui.{SparkUI, SparkUITab, UIUtils, WebUIPage}
import org.apache.spark.util.kvstore.KVStore

/** A row in the store of Spark's UI; its class has an `@KVIndex` of the id. */
trait TabRow {

  /** The id of the SQL execution that the row is about. */
  def id: Long
}

/**
 * The content of a tab in Spark's UI, in types that are not private to Spark.
 *
 * @param name
 *   the tab's name, which is its path too
 */
abstract class TabContent[Row <: TabRow](val name: String)(implicit tag: ClassTag[Row]) {

  private[sieve] val rowClass: Class[Row] = tag.runtimeClass.asInstanceOf[Class[Row]]

  /** The row that an event of the application becomes; None for the events of others. */
  def row(event: SparkListenerEvent): Option[Row]

  /** The pages; the first is the one that the tab opens. */
  def pages: Seq[TabPage[Row]]
}

/**
 * @param path
 *   the page's path below the tab's; empty for the first
 */
final case class TabPage[Row <: TabRow](
    path: String,
    title: String,
    content: (TabRows[Row], TabRequest) => Seq[Node])

/** The rows that the store has now. */
final class TabRows[Row <: TabRow] private[sieve] (store: KVStore, rowClass: Class[Row]) {

  /** All rows, by id. */
  def all: Seq[Row] = KVUtils.viewToSeq(store.view(rowClass))

  def get(id: Long): Option[Row] = read(rowClass, id)

  /** The description of a SQL execution, as Spark's own page shows it; empty if it is gone. */
  def description(id: Long): String =
    read(classOf[SQLExecutionUIData], id).flatMap(e => Option(e.description)).getOrElse("")

  private def read[T](kind: Class[T], id: Long): Option[T] =
    try Some(store.read(kind, id))
    catch { case _: NoSuchElementException => None }
}

/** A request for a page. */
final class TabRequest private[sieve] (request: Servlet.Request, basePath: String) {

  def parameter(name: String): Option[String] = Option(request.getParameter(name))

  /** The address of a page of the same UI, such as `/SQL/execution/?id=3`. */
  def link(path: String): String = UIUtils.prependBaseUri(request, basePath, path)
}

/** A tab in the UI of a running application, or of one that the history server shows. */
private[sieve] final class Tab[Row <: TabRow](ui: SparkUI, content: TabContent[Row])
    extends SparkUITab(ui, content.name) {

  private val rows = new TabRows(ui.store.store, content.rowClass)

  // Behind the tab of SQL queries, which is behind all others.
  override def displayOrder: Int = 1

  content.pages.foreach(page => attachPage(new Page(page)))

  private final class Page(page: TabPage[Row]) extends WebUIPage(page.path) {
    override def render(request: Servlet.Request): Seq[Node] =
      UIUtils.headerSparkPage(
        request,
        page.title,
        page.content(rows, new TabRequest(request, Tab.this.basePath)),
        Tab.this)
  }
}

/** Writes rows into the store, and keeps as many as Spark keeps SQL executions. */
private[sieve] final class TabListener[Row <: TabRow](
    conf: SparkConf,
    store: ElementTrackingStore,
    content: TabContent[Row])
    extends SparkListener {

  private val retained = math.max(1, conf.get(UI_RETAINED_EXECUTIONS))

  store.addTrigger(content.rowClass, retained.toLong) { count =>
    val tooMany = KVUtils.viewToSeq(store.view(content.rowClass)).take((count - retained).toInt)
    tooMany.foreach(row => store.delete(content.rowClass, row.id))
  }

  override def onOtherEvent(event: SparkListenerEvent): Unit =
    content.row(event).foreach(store.write(_, checkTriggers = true))
}

object Tab {

  /**
   * Adds the tab to the application's UI, and writes the event that `event` makes of each SQL
   * execution that has ended well, to the UI and to the event log. Does nothing the second time.
   *
   * The events are not posted to the listener bus: while the application stops, it delivers what was
   * posted before and takes nothing more, so the last queries would be missing in the event log. They
   * are written on the thread of the log's own queue, because a log is written by one thread; the
   * queue is emptied before the log is closed.
   *
   * @param ended
   *   called when the application ends
   * @return
   *   false if the application has neither, so that nobody would see the events
   */
  def attach[Row <: TabRow](context: SparkContext, content: TabContent[Row])(
      event: EndedExecution => Option[SparkListenerEvent],
      ended: () => Unit): Boolean = synchronized {
    val isSeen = context.ui.nonEmpty || context.isEventLogEnabled
    val isFirst = context.listenerBus.findListenersByClass[EndedExecutions]().isEmpty
    if (isSeen && isFirst) {
      val rows = context.ui.flatMap { ui =>
        context.statusStore.store match {
          case store: ElementTrackingStore =>
            ui.attachTab(new Tab(ui, content))
            Some(new TabListener(context.conf, store, content))
          case _ => None
        }
      }
      val writers = (context.eventLogger ++ rows).toSeq
      val listener = new EndedExecutions(e => writers.foreach(_.onOtherEvent(e)), event, ended)
      if (context.eventLogger.isEmpty) context.listenerBus.addToSharedQueue(listener)
      else context.listenerBus.addToEventLogQueue(listener)
    }
    isSeen
  }
}

/** Adds the tab to an application in the history server, if its log has rows for the tab. */
abstract class TabInHistory[Row <: TabRow](content: TabContent[Row])
    extends AppHistoryServerPlugin
    with Logging {

  override final def createListeners(
      conf: SparkConf,
      store: ElementTrackingStore): Seq[SparkListener] =
    guarded(Seq.empty[SparkListener])(Seq(new TabListener(conf, store, content)))

  override final def setupUI(ui: SparkUI): Unit = guarded(()) {
    if (ui.store.store.count(content.rowClass) > 0) ui.attachTab(new Tab(ui, content))
  }

  // The history server shows the application without the tab.
  private def guarded[T](otherwise: T)(body: => T): T =
    try body
    catch {
      case e @ (NonFatal(_) | _: LinkageError) =>
        logWarning(s"The tab ${content.name} could not be added: $e", e)
        otherwise
    }
}
