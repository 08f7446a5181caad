// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.report.core

import scala.util.control.NonFatal

import org.apache.spark.internal.Logging

/** Keeps a failing rewrite from failing the user's query. */
private[sparksieve] object Guarded extends Logging {

  /**
   * Evaluates `rewrite`; if it throws, yields `fallback` instead, logs one WARN and records
   * [[Reason.InternalError]]. A StackOverflowError counts as a failure of the rewrite too: deep
   * plans are the usual cause, and Spark itself may still plan them.
   */
  def apply[T](feature: String, rule: String, place: => String, fallback: T)(rewrite: => T): T =
    try rewrite
    catch {
      case e @ (NonFatal(_) | _: StackOverflowError) =>
        logWarning(s"Sieve's rule $rule failed and left the plan as it was: $e", e)
        Report.declined(feature, rule, Reason.InternalError, place, e.toString)
        fallback
    }
}
