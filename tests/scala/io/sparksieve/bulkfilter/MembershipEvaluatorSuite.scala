// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bulkfilter

import scala.util.Random

import org.apache.spark.sql.types.LongType

import io.sparksieve.SieveTest
import io.sparksieve.bulkfilter.fused.{
  AllTrue,
  AnyTrue,
  MembershipEvaluatorSource,
  MembershipTree,
  NeverNull,
  Opposite,
  Probe
}
import io.sparksieve.bulkfilter.load.{LeafCounts, OneSet, SideBySide}
import io.sparksieve.keyset.{BatchEvaluator, KeyBlock, KeySet, SharedKeys}
import io.sparksieve.keyset.build.KeySets
import io.sparksieve.keyset.masks.KeyMasks

/** Random trees of leaves, evaluated row by row and in blocks, against three-valued logic. */
class MembershipEvaluatorSuite extends SieveTest {

  private val random = new Random(20261122)

  private def setOf(keys: Set[Long]): KeySet = {
    val builder = KeySets.builder(Seq(LongType), Long.MaxValue, Long.MaxValue)
    keys.foreach(builder.addLong)
    builder.result().get
  }

  private def one(set: KeySet) = OneSet(SharedKeys(spark.sparkContext, set))

  private def tree(sets: Seq[Int], depth: Int): MembershipTree = {
    def parts = Seq.fill(1 + random.nextInt(4))(tree(sets, depth - 1))
    random.nextInt(if (depth == 0) 1 else 7) match {
      case 0 =>
        val key = random.nextInt(sets.size)
        Probe(key, random.nextInt(sets(key)))
      case 1 | 2 => AllTrue(parts)
      case 3 | 4 => AnyTrue(parts)
      case 5 => Opposite(tree(sets, depth - 1))
      case _ => NeverNull(tree(sets, depth - 1), random.nextBoolean())
    }
  }

  /** @param row the value of each key, None for NULL */
  private def expected(
      tree: MembershipTree,
      sets: Seq[Seq[Set[Long]]],
      row: Seq[Option[Long]]): Option[Boolean] = {
    def of(t: MembershipTree): Option[Boolean] = t match {
      case Probe(key, set) => row(key).map(sets(key)(set))
      case AllTrue(parts) =>
        val all = parts.map(of)
        if (all.contains(Some(false))) Some(false) else if (all.contains(None)) None else Some(true)
      case AnyTrue(parts) =>
        val all = parts.map(of)
        if (all.contains(Some(true))) Some(true) else if (all.contains(None)) None else Some(false)
      case Opposite(part) => of(part).map(!_)
      case NeverNull(part, value) => of(part).orElse(Some(value))
    }
    of(tree)
  }

  test("trees, sets and keys of all kinds") {
    var seen = Set.empty[Option[Boolean]]
    for (turn <- 1 to 300) {
      val apart = if (turn % 2 == 0) 1L else 0x3779b97f1234567L
      val sets = Seq.fill(1 + random.nextInt(3)) {
        Seq.fill(if (turn % 7 == 0) 1 + random.nextInt(64) else 1 + random.nextInt(5)) {
          Seq.fill(random.nextInt(60))(random.nextInt(50) * apart).toSet
        }
      }
      val values = sets.map { some =>
        if (some.size == 1) one(setOf(some.head))
        else if (turn % 5 == 0) SideBySide(some.map(s => one(setOf(s))))
        else one(KeyMasks.of(some.map(setOf), Long.MaxValue).get)
      }
      val made = tree(sets.map(_.size), 5)
      val evaluator =
        new MembershipEvaluatorSource(made, values.toArray, sets.map(_ => new LeafCounts).toArray)()
      val rows = Seq.fill(random.nextInt(KeyBlock.Size + 1)) {
        sets.map(_ => if (random.nextInt(5) == 0) None else Some(random.nextInt(55) * apart))
      }
      val right = rows.map(expected(made, sets, _))
      def answer(code: Int) = code match {
        case BatchEvaluator.False => Some(false)
        case BatchEvaluator.True => Some(true)
        case BatchEvaluator.Null => None
      }
      def put(row: Seq[Option[Long]], i: Int): Unit =
        row.zipWithIndex.foreach { case (value, key) =>
          evaluator.block(key).keys(i) = value.getOrElse(0L)
          evaluator.block(key).nulls(i) = if (value.isEmpty) 1 else 0
        }
      rows.zip(right).foreach { case (row, r) =>
        put(row, 0)
        assert(answer(evaluator.evaluateOne()) == r, s"$made of $row")
      }
      rows.zipWithIndex.foreach { case (row, i) => put(row, i) }
      val answers = evaluator.evaluate(rows.size).take(rows.size).map(a => answer(a.toInt)).toSeq
      assert(answers == right, made)
      seen ++= right
    }
    assert(seen == Set(Some(true), Some(false), None))
  }
}
