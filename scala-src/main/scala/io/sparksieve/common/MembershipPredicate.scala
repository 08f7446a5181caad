// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.common

import org.apache.spark.sql.catalyst.expressions.{Expression, Predicate}
import org.apache.spark.sql.internal.SQLConf

/** A predicate of Sieve that tests whether keys are in sets of values. The test cannot fail. */
private[sparksieve] trait MembershipPredicate extends Predicate with NeverFails {

  /** The columns of the key, or the keys of a tree of leaves. */
  def keys: Seq[Expression]

  /** Whether the predicates of its filter must keep their present order. */
  def keepsOrder(conf: SQLConf): Boolean

  /**
   * The predicate without the values that have been read for its query, to keep it for longer. It
   * reads them again if it is evaluated. A predicate of a physical plan returns itself.
   */
  def withoutValues: Expression = this
}

private[sparksieve] object MembershipPredicate {

  /** Whether a predicate in `condition` requires that the predicates keep their order. */
  def keepsOrder(condition: Expression, conf: SQLConf): Boolean = condition.exists {
    case predicate: MembershipPredicate => predicate.keepsOrder(conf)
    case _ => false
  }
}
