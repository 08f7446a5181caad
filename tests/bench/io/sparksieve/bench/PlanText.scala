// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bench

import scala.collection.mutable

/** Plans as text that can be compared and shown. */
object PlanText {

  private val Id = "#(\\d+)".r
  private val Place = "\\[?file:[^\\]\\s,]*\\]?".r

  /**
   * `plan` with expression ids numbered by first appearance, so that equal plans have equal text.
   */
  def renumbered(plan: String): String = {
    val numbers = mutable.Map.empty[String, Int]
    Id.replaceAllIn(plan, m => "#" + numbers.getOrElseUpdate(m.group(1), numbers.size))
  }

  /** `plan` without the paths of this machine. */
  def withoutPlaces(plan: String): String = Place.replaceAllIn(plan, "[...]")
}
