// SPDX-License-Identifier: Apache-2.0
package org.apache.spark.deploy.history.sieve

import org.apache.spark.{SecurityManager, SparkConf}
import org.apache.spark.deploy.history.{FsHistoryProvider, HistoryServer}

/** Runs Spark's history server in this JVM, with classes that are private to it. */
object TestHistoryServer {

  /** Passes the address of a server that reads the logs in `folder` to `body`. */
  def apply(folder: String)(body: String => Unit): Unit = {
    val conf = new SparkConf(false)
      .set("spark.history.fs.logDirectory", folder)
      .set("spark.history.fs.update.interval", "1s")
    val provider = new FsHistoryProvider(conf)
    val server = new HistoryServer(conf, provider, new SecurityManager(conf), 0)
    try {
      server.initialize()
      server.bind()
      // Spark 3.5 does not look for logs by itself in tests.
      provider.checkForLogs()
      body(s"http://localhost:${server.boundPort}/history")
    } finally server.stop()
  }
}
