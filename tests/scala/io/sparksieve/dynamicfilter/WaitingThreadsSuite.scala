// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.dynamicfilter

import java.util.concurrent.{ConcurrentLinkedQueue, CountDownLatch}

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.internal.{SQLConf, StaticSQLConf}

import io.sparksieve.dynamicfilter.exec.WaitingThreads

/** Of Spark's threads for broadcasts, at most half wait for keys. */
class WaitingThreadsSuite extends AnyFunSuite {

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
