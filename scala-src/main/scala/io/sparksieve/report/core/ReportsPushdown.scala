// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.report.core

/**
 * A DSv2 scan builder or a DSv1 relation that reports more about push-down than Spark's interfaces
 * do: whether the engine evaluates a filter, or the adapter between Spark and the engine.
 */
private[sparksieve] trait ReportsPushdown {

  /**
   * @param offered
   *   the filters that Spark offers, as DSv1 filters or DSv2 predicates
   * @return
   *   for each filter that is used, how it is handled
   */
  def steps(offered: Seq[Any]): Map[Any, Step]
}
