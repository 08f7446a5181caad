// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bulkfilter.fused

import scala.collection.mutable

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.types.BooleanType

import io.sparksieve.bulkfilter.expr.{BulkKeys, InFile}
import io.sparksieve.bulkfilter.load.{
  AllOf,
  AnyOf,
  FileKeys,
  LoadKeysExec,
  SideBySide,
  ValueSet,
  Without
}
import io.sparksieve.common.CannotFail
import io.sparksieve.keyset.build.KeyTypes
import io.sparksieve.keyset.longs.LongKeyType
import io.sparksieve.keyset.masks.KeyMasks
import io.sparksieve.report.core.{Features, Report, ScanNames}

/**
 * Fuses a tree of 8 or more leaves, with at most half as many keys as leaves, into one predicate:
 * {{{
 *   (a IN f AND b IN g) OR (a IN h AND b IN i) OR ...    =>    tree of masks of a and of b
 * }}}
 * Each row probes a key once per [[KeyMasks.MostSets]] sets, not once per leaf. A fused leaf costs
 * hardly anything, so learning the order of fused leaves gains nothing. A leaf that is a conjunct
 * by itself is not fused: its order can still be learned, and it prunes the scan.
 */
private[bulkfilter] final class FuseMembershipTrees(load: ValueSet[FileKeys] => LoadKeysExec)
    extends PredicateHelper {
  import FuseMembershipTrees._

  /** Fuses the trees in an operator's expressions. */
  def apply(operator: SparkPlan): SparkPlan = {
    val made = operator.mapExpressions(inAnd(_))
    made.expressions.flatMap(_.collect { case tree: FusedMembership => tree }).distinct.foreach {
      tree =>
        val place =
          s"${operator.nodeName} over ${operator.collectLeaves().map(ScanNames(_)).mkString(", ")}"
        val keys = tree.keys.map(_.sql).distinct
        Report.appliedTo(made, Features.BulkFilter, Name)(
          place,
          s"${tree.tree.leaves} leaves test ${keys.mkString(", ")} with one lookup for each row and key")
    }
    made
  }

  /** Fuses the trees in a predicate. A conjunct with a single leaf stays out of the trees. */
  private def inAnd(e: Expression): Expression =
    inRuns(e, splitConjunctivePredicates(e), And(_, _), p => mayFuse(p) && leaves(p).size > 1)

  private def within(e: Expression): Expression = e match {
    case _ if isWorth(e) => tree(e)
    case and: And => inRuns(and, splitConjunctivePredicates(and), And(_, _), mayFuse)
    case or: Or => inRuns(or, splitDisjunctivePredicates(or), Or(_, _), mayFuse)
    case other => other.mapChildren(within)
  }

  /** Fuses each run of adjacent parts that satisfy `may` if it pays off, else inside the parts. */
  private def inRuns(
      whole: Expression,
      parts: Seq[Expression],
      join: (Expression, Expression) => Expression,
      may: Expression => Boolean): Expression = {
    val runs = parts.foldLeft(Vector.empty[Vector[Expression]]) {
      case (done :+ last, next) if may(last.head) && may(next) => done :+ (last :+ next)
      case (done, next) => done :+ Vector(next)
    }
    val made = runs.flatMap { run =>
      val joined = run.reduce(join)
      if (isWorth(joined)) Seq(tree(joined)) else run.map(within)
    }
    if (made.size == parts.size && made.zip(parts).forall { case (a, b) => a eq b }) whole
    else made.reduce(join)
  }

  private def tree(e: Expression): FusedMembership = {
    val found = leaves(e)
    val keys = distinctKeys(found)
    // Each key with its files, in groups of as many files as a mask has bits.
    val sides = keys.flatMap { key =>
      val files = found.filter(_.keys.head.semanticEquals(key)).flatMap(_.members.leaves).distinct
      files.grouped(KeyMasks.MostSets).map(some => key -> SideBySide[FileKeys](some))
    }
    val places = mutable.Map.empty[(Expression, FileKeys), Probe]
    sides.zipWithIndex.foreach { case ((key, side), k) =>
      side.leaves.zipWithIndex.foreach { case (file, i) =>
        places((key.canonicalized, file)) = Probe(k, i)
      }
    }
    def made(key: Expression, members: ValueSet[FileKeys]): MembershipTree = members match {
      case file: FileKeys => places((key.canonicalized, file))
      case AllOf(parts) => AllTrue(parts.map(made(key, _)))
      case AnyOf(parts) => AnyTrue(parts.map(made(key, _)))
      case Without(from, less) => AllTrue(Seq(made(key, from), Opposite(made(key, less))))
      case SideBySide(_) => throw SideBySide.noSet
    }
    def node(e: Expression): MembershipTree = e match {
      case InFile(Seq(key), members) => made(key, members)
      case and: And => AllTrue(splitConjunctivePredicates(and).map(node))
      case or: Or => AnyTrue(splitDisjunctivePredicates(or).map(node))
      case Not(child) => Opposite(node(child))
      case Coalesce(Seq(child, Literal(value: Boolean, BooleanType))) =>
        NeverNull(node(child), value)
      case other => throw new IllegalArgumentException(s"$other is no tree of leaves.")
    }
    val (probed, members) = sides.unzip
    FusedMembership(
      probed,
      members.zip(probed).map { case (side, key) => BulkKeys(load(side), key.dataType) },
      node(e),
      members)
  }
}

private[sparksieve] object FuseMembershipTrees {

  /** The name in reports. */
  val Name = "FuseMembershipTrees"

  /** The fewest leaves that are fused. Fewer leaves gain more from a learned order. */
  private val FewestLeaves = 8

  /** The leaves of a tree, without leaves inside their keys. */
  private def leaves(e: Expression): Seq[InFile] = e match {
    case leaf: InFile => Seq(leaf)
    case _ => e.children.flatMap(leaves)
  }

  private def distinctKeys(leaves: Seq[InFile]): Seq[Expression] =
    FusedMembership.distinct(leaves.map(_.keys.head))

  private def isWorth(e: Expression): Boolean = mayFuse(e) && {
    val found = leaves(e).distinct
    found.size >= FewestLeaves && found.size >= 2 * distinctKeys(found).size
  }

  /**
   * Whether `e` is a tree of leaves only, whose keys are cheap and encoded as longs. They must be
   * deterministic and unable to fail, because they are evaluated for every row.
   */
  private def mayFuse(e: Expression): Boolean = isTree(e) && e.deterministic && CannotFail(e)

  private def isTree(e: Expression): Boolean = e match {
    case InFile(Seq(key), members) => isLong(key) && members.leaves.forall(_.entry.nonEmpty)
    case Coalesce(Seq(child, Literal(_: Boolean, BooleanType))) => isTree(child)
    case _: And | _: Or | _: Not => e.children.forall(isTree)
    case _ => false
  }

  private def isLong(key: Expression) =
    isCheap(key) && KeyTypes.of(key.dataType).exists(_.isInstanceOf[LongKeyType])

  // All keys of a tree are evaluated for every row.
  private def isCheap(key: Expression): Boolean = key match {
    case _: Attribute | _: Literal => true
    case _: Cast | _: Coalesce | _: GetStructField => key.children.forall(isCheap)
    case _ => false
  }
}
