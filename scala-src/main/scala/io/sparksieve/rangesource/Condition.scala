// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.rangesource

import io.sparksieve.keyset.KeyRange

/**
 * The condition under which a filter is true, or is false. Filters of both DSv1 and DSv2 are
 * translated to conditions, which have neither NOT nor NULL; see [[TruthConditions]].
 */
private[rangesource] sealed trait Condition extends Product with Serializable {

  /** Whether a record passes. Parts that only Spark can evaluate count as passed. */
  def holds(record: RangeDbRecord): Boolean

  /** The keys that may pass, in a table whose keys are `all`. */
  final def keys(all: KeyRange): RangeSet = bound(all, _ => true)

  /** The keys that may pass as far as the engine can restrict them, which knows only the key. */
  final def engineKeys(all: KeyRange): RangeSet = bound(all, _ == RangeColumn.Key)

  /** Whether [[engineKeys]] are exactly the keys that pass. */
  def isOfKey: Boolean

  /** Whether a part of the condition is left to Spark. */
  def isOpaque: Boolean

  private[rangesource] def bound(all: KeyRange, known: RangeColumn => Boolean): RangeSet
}

private[rangesource] object Condition {

  /** True where `column` has one of some values; `passing` are the keys of these records. */
  final case class Within(column: RangeColumn, passing: RangeSet) extends Condition {
    override def holds(record: RangeDbRecord): Boolean = passing.contains(record.key.toLong)
    override def isOfKey: Boolean = column == RangeColumn.Key
    override def isOpaque: Boolean = false
    override def bound(all: KeyRange, known: RangeColumn => Boolean): RangeSet =
      if (known(column)) passing else RangeSet(all.low, all.high)
  }

  /** AND: true if all parts are true; always true without parts. */
  final case class AllOf(parts: Seq[Condition]) extends Condition {
    override def holds(record: RangeDbRecord): Boolean = parts.forall(_.holds(record))
    override lazy val isOfKey: Boolean = parts.forall(_.isOfKey)
    override lazy val isOpaque: Boolean = parts.exists(_.isOpaque)
    override def bound(all: KeyRange, known: RangeColumn => Boolean): RangeSet =
      parts.foldLeft(RangeSet(all.low, all.high))((set, p) => set.intersect(p.bound(all, known)))
  }

  /** OR: true if at least one part is true; never true without parts. */
  final case class AnyOf(parts: Seq[Condition]) extends Condition {
    override def holds(record: RangeDbRecord): Boolean = parts.exists(_.holds(record))
    override lazy val isOfKey: Boolean = parts.forall(_.isOfKey)
    override lazy val isOpaque: Boolean = parts.exists(_.isOpaque)
    override def bound(all: KeyRange, known: RangeColumn => Boolean): RangeSet =
      RangeSet.of(parts.flatMap(_.bound(all, known).ranges))
  }

  /** A condition that only Spark can evaluate. */
  case object Opaque extends Condition {
    override def holds(record: RangeDbRecord): Boolean = true
    override def isOfKey: Boolean = false
    override def isOpaque: Boolean = true
    override def bound(all: KeyRange, known: RangeColumn => Boolean): RangeSet =
      RangeSet(all.low, all.high)
  }

  val Always: Condition = AllOf(Nil)

  val Never: Condition = AnyOf(Nil)

  /** AND, with nested ANDs flattened. */
  def and(left: Condition, right: Condition): Condition = AllOf(Seq(left, right).flatMap {
    case AllOf(parts) => parts
    case other => Seq(other)
  })

  /** OR, with nested ORs flattened. */
  def or(left: Condition, right: Condition): Condition = AnyOf(Seq(left, right).flatMap {
    case AnyOf(parts) => parts
    case other => Seq(other)
  })
}
