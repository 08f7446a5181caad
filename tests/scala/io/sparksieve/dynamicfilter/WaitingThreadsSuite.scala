// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.dynamicfilter

import java.util.concurrent.{ConcurrentLinkedQueue, CountDownLatch}

import org.apache.spark.sql.functions.{col, udf}
import org.apache.spark.sql.internal.{SQLConf, StaticSQLConf}

import io.sparksieve.SieveTest
import io.sparksieve.dynamicfilter.exec.{KeysSubqueryExec, WaitingThreads}
import io.sparksieve.dynamicfilter.optimize.KeyCaps

/** How long Spark's threads for broadcasts wait for keys, and how many of them. */
class WaitingThreadsSuite extends SieveTest {

  test("a broadcast waits for a tenth of the time after which Spark fails the query") {
    def caps(broadcast: String): KeyCaps = {
      val conf = spark.sessionState.conf.clone()
      conf.setConfString(SQLConf.BROADCAST_TIMEOUT.key, broadcast)
      KeyCaps(conf)
    }
    assert(caps("300").broadcastMs == 30000 && caps("300").timeoutMs == 60000)
    assert(caps("900").broadcastMs == 60000 && caps("-1").broadcastMs == 60000)
    val rows = spark.range(1).select(WaitingThreadsSuite.late(col("id")).as("keys"))
    val keys = KeysSubqueryExec(
      "late",
      None,
      Nil,
      caps("2"),
      pinned = true,
      rows.queryExecution.executedPlan)
    keys.prepare()
    val waiting = new Thread(() => { keys.await(); () }, "broadcast-exchange-9")
    waiting.start()
    try {
      waiting.join()
      assert(keys.outcome == Left("the keys were not there after 200 ms"))
    } finally WaitingThreadsSuite.end.countDown()
  }

  test("half of the threads wait") {
    val most = SQLConf.get.getConf(StaticSQLConf.BROADCAST_EXCHANGE_MAX_THREAD_THRESHOLD) / 2
    val (waiting, end) = (new CountDownLatch(most + 1), new CountDownLatch(1))
    val answers = new ConcurrentLinkedQueue[String]
    def ask(name: String): Thread = {
      val thread = new Thread(
        () => {
          val answer = WaitingThreads("now") {
            waiting.countDown()
            end.await()
            "waited"
          }
          answers.add(answer)
          ()
        },
        name)
      thread.setDaemon(true)
      thread.start()
      thread
    }
    val first = (1 to most).map(i => ask(s"broadcast-exchange-$i")) :+ ask("main")
    waiting.await()
    val last = ask("broadcast-exchange-0")
    // Without a limit it would wait for `end`.
    last.join(20000)
    assert(answers.toArray.toSeq == Seq("now"))
    end.countDown()
    first.foreach(_.join())
    val again = ask("broadcast-exchange-0")
    again.join()
    assert(answers.toArray.count(_ == "waited") == most + 2)
  }
}

object WaitingThreadsSuite {

  private val end = new CountDownLatch(1)

  /** Keys that come when the test has ended. */
  private val late = udf { (_: Long) =>
    end.await()
    Array.emptyByteArray
  }
}
