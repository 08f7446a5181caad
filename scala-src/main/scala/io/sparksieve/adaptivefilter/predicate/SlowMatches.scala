// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.adaptivefilter.predicate

import org.apache.spark.sql.catalyst.expressions._

import io.sparksieve.common.Patterns

/**
 * LIKE and RLIKE whose time is quadratic in the length of the string: `s RLIKE 'a+b'` takes a second
 * for a string of 30,000 characters, and a quarter of an hour for one of a million. A predicate
 * written before it may be what keeps long strings away, as in `length(s) < 100 AND s RLIKE 'a+b'`.
 */
private[predicate] object SlowMatches {

  /**
   * The predicates, where each such match that follows another predicate on its string stays behind
   * the predicates written before it. A predicate that is such a match of the same string is no
   * guard: it takes as long.
   */
  def guarded(conjuncts: Seq[Conjunct]): Seq[Conjunct] = {
    var guards = AttributeSet.empty
    conjuncts.map { c =>
      val slow = matched(c.predicate)
      val isGuarded = slow.intersect(guards).nonEmpty
      // A check for NULL says nothing of the length.
      if (!c.isNullCheck) guards = guards ++ (c.predicate.references -- slow)
      if (isGuarded) c.copy(isSlow = true) else c
    }
  }

  /** The columns whose strings are matched in quadratic time. */
  private def matched(e: Expression): AttributeSet = AttributeSet(e.collect {
    case Like(string, Literal(pattern, _), escape)
        if pattern != null && !Patterns.isLinearLike(pattern.toString, escape) =>
      string.references
    case RLike(string, Literal(pattern, _))
        if pattern != null && !Patterns.isLinearRegex(pattern.toString) =>
      string.references
  }.flatten)
}
