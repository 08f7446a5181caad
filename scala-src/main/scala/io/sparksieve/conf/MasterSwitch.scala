// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.conf

import org.apache.spark.sql.internal.SQLConf

/** The config that switches all of Sieve off, and how a thread does so for itself. */
private[conf] trait MasterSwitch extends ConfigRegistry {

  val ENABLED = switch(
    "enabled",
    default = true,
    "The master switch. When false, Sieve changes no plan.",
    since = "0.1.0")

  /** Whether Sieve may act under `conf` on this thread. */
  protected def enabled(conf: SQLConf): Boolean = !bypassed.get && conf.getConf(ENABLED)

  private val bypassed = ThreadLocal.withInitial[Boolean](() => false)

  /**
   * Evaluates `body` with Sieve off on this thread only. The session's conf cannot be changed for
   * this, because queries that other threads plan meanwhile share it.
   */
  def bypassing[T](body: => T): T = {
    val outer = bypassed.get
    bypassed.set(true)
    try body
    finally bypassed.set(outer)
  }
}
