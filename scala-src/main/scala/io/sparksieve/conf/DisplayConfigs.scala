// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.conf

/** The configs of the places where Sieve shows what it did; Spark reads them when it starts. */
private[conf] trait DisplayConfigs extends MasterSwitch {

  val UI_ENABLED = atStart(
    "ui.enabled",
    default = true,
    "Adds a tab to Spark's UI and to the history server: what Sieve did to each query, and why not. " +
      "Takes effect when it is set before the application starts.",
    since = "0.1.0"
  )

  val EXPLAIN_ENABLED = atStart(
    "explain.enabled",
    default = false,
    "Adds a section to EXPLAIN and to the plans in Spark's UI: what Sieve did to the query, and why " +
      "not. Needs Spark 4.0 or later. Takes effect when it is set before the application starts.",
    since = "0.1.0"
  )
}
