// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.report.ui

/** What adds lines to `EXPLAIN`; Spark 3.5 has no such extension point. */
private[ui] object ExplainProvider {
  val className: Option[String] = None
}
