package io.sparksieve.rangesource

import io.sparksieve.keyset.KeyRange

/**
 * When a filter holds, in the one language that the filters of both of Spark's interfaces are read
 * into: without NOT and without NULL; see [[Truth]].
 */
sealed trait Condition extends Product with Serializable {

  /** Whether a record passes. What Spark alone can tell passes. */
  def holds(record: RangeDbRecord): Boolean

  /** The keys that may pass, in a table whose keys are `all`. */
  final def keys(all: KeyRange): RangeSet = bound(all, _ => true)

  /** The keys that may pass as far as the engine can be asked, which knows nothing but the key. */
  final def engineKeys(all: KeyRange): RangeSet = bound(all, _ == RangeColumn.Key)

  /** Whether [[engineKeys]] are just those that pass. */
  def isOfKey: Boolean

  /** Whether a part of it is left to Spark. */
  def isOpaque: Boolean

  private[rangesource] def bound(all: KeyRange, known: RangeColumn => Boolean): RangeSet
}

object Condition {

  /** The keys for which `column` has one of some values. */
  final case class Within(column: RangeColumn, passing: RangeSet) extends Condition {
    override def holds(record: RangeDbRecord): Boolean = passing.contains(record.key.toLong)
    override def isOfKey: Boolean = column == RangeColumn.Key
    override def isOpaque: Boolean = false
    override def bound(all: KeyRange, known: RangeColumn => Boolean): RangeSet =
      if (known(column)) passing else RangeSet(all.low, all.high)
  }

  /** Each of them; always, if there are none. */
  final case class AllOf(parts: Seq[Condition]) extends Condition {
    override def holds(record: RangeDbRecord): Boolean = parts.forall(_.holds(record))
    override lazy val isOfKey: Boolean = parts.forall(_.isOfKey)
    override lazy val isOpaque: Boolean = parts.exists(_.isOpaque)
    override def bound(all: KeyRange, known: RangeColumn => Boolean): RangeSet =
      parts.foldLeft(RangeSet(all.low, all.high))((set, p) => set.intersect(p.bound(all, known)))
  }

  /** One of them at least; never, if there are none. */
  final case class AnyOf(parts: Seq[Condition]) extends Condition {
    override def holds(record: RangeDbRecord): Boolean = parts.exists(_.holds(record))
    override lazy val isOfKey: Boolean = parts.forall(_.isOfKey)
    override lazy val isOpaque: Boolean = parts.exists(_.isOpaque)
    override def bound(all: KeyRange, known: RangeColumn => Boolean): RangeSet =
      RangeSet.of(parts.flatMap(_.bound(all, known).ranges))
  }

  /** What Spark alone can tell. */
  case object Opaque extends Condition {
    override def holds(record: RangeDbRecord): Boolean = true
    override def isOfKey: Boolean = false
    override def isOpaque: Boolean = true
    override def bound(all: KeyRange, known: RangeColumn => Boolean): RangeSet =
      RangeSet(all.low, all.high)
  }

  val Always: Condition = AllOf(Nil)

  val Never: Condition = AnyOf(Nil)

  /** AND, with the parts of ANDs in it as its own. */
  def and(left: Condition, right: Condition): Condition = AllOf(Seq(left, right).flatMap {
    case AllOf(parts) => parts
    case other => Seq(other)
  })

  /** OR, with the parts of ORs in it as its own. */
  def or(left: Condition, right: Condition): Condition = AnyOf(Seq(left, right).flatMap {
    case AnyOf(parts) => parts
    case other => Seq(other)
  })
}
