// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bulkfilter.fused

import io.sparksieve.bulkfilter.load.{LeafCount, LeafCounts, OneSet, SideBySide, ValueSet}
import io.sparksieve.keyset.{BatchEvaluator, KeyBlock, KeySet}
import io.sparksieve.keyset.BatchEvaluator.{False, Null, True}
import io.sparksieve.keyset.longs.LongKeySet
import io.sparksieve.keyset.masks.{BitMatrix, KeyMasks, SeparateMasks}

/**
 * Evaluates a tree of leaves. For a single row, evaluation stops as soon as the answer is known.
 * For a block of rows, the masks of all keys are loaded first, and the tree is evaluated for 64
 * rows at a time. Called by generated code. Not thread-safe.
 *
 * @param values
 *   for each key, the sets to probe; see [[SideBySide]]
 * @param counts
 *   for each key, the accumulator for counts of sampled rows; only blocks of rows are sampled
 */
private[bulkfilter] final class MembershipEvaluator private[bulkfilter] (
    tree: MembershipTree,
    values: Array[ValueSet[OneSet]],
    counts: Array[LeafCounts])
    extends BatchEvaluator {

  private val masksOf: Array[KeyMasks] = values.map {
    case SideBySide(parts) => new SeparateMasks(parts.map(MembershipEvaluator.longs).toArray)
    case one =>
      MembershipEvaluator.held(one) match {
        case masks: KeyMasks => masks
        case _ => new SeparateMasks(Array(MembershipEvaluator.longs(one)))
      }
  }
  private val separate: Array[SeparateMasks] = masksOf.map {
    case some: SeparateMasks => some
    case _ => null
  }
  private val blocks = values.map(_ => new KeyBlock)
  private val answers = new Array[Byte](KeyBlock.Size)

  private val masks = values.map(_ => new Array[Long](KeyBlock.Size))

  // State of the current word of rows. `columns` has for each key and set the rows whose key is in
  // the set, `known` for each key the rows whose key is not NULL.
  private val columns = values.map(_ => new Array[Long](MembershipEvaluator.Word))
  private val known = new Array[Long](values.length)
  private[bulkfilter] val isTrue = new Array[Long](tree.height + 1)
  private[bulkfilter] val isFalse = new Array[Long](tree.height + 1)

  private var words = 0L

  override def block(key: Int): KeyBlock = blocks(key)

  /** Evaluates the tree for the first row of the blocks. */
  def evaluateOne(): Int = {
    var key = 0
    // No branch here is hard to predict, so the cache misses of the probes overlap.
    while (key < values.length) {
      if (separate(key) == null) masks(key)(0) = masksOf(key).maskOf(blocks(key).keys(0))
      key += 1
    }
    tree.ofRow(this)
  }

  override def evaluate(count: Int): Array[Byte] = {
    evaluateWords(count)
    answers
  }

  private def evaluateWords(count: Int): Unit = {
    var key = 0
    while (key < values.length) {
      masksOf(key).load(blocks(key), count, masks(key))
      key += 1
    }
    var from = 0
    while (from < count) {
      val rows = math.min(MembershipEvaluator.Word, count - from)
      openWord(from, rows)
      if (words % MembershipEvaluator.WordsPerCount == 0) addCounts(rows)
      words += 1
      tree.ofWord(this, 0)
      val (yes, no) = (isTrue(0), isFalse(0))
      var i = 0
      while (i < rows) {
        val isYes = (yes >>> i).toInt & 1
        answers(from + i) = (isYes | ((yes | no) >>> i & 1L ^ 1L).toInt << 1).toByte
        i += 1
      }
      from += rows
    }
  }

  /** Transposes the masks of rows, so that each set has a word of rows. */
  private def openWord(from: Int, rows: Int): Unit = {
    var key = 0
    while (key < values.length) {
      val nulls = blocks(key).nulls
      val word = columns(key)
      var isNull = 0L
      var i = 0
      while (i < rows) {
        isNull |= nulls(from + i).toLong << i
        i += 1
      }
      known(key) = ~isNull
      System.arraycopy(masks(key), from, word, 0, rows)
      java.util.Arrays.fill(word, rows, MembershipEvaluator.Word, 0L)
      BitMatrix.transpose(word, masksOf(key).width)
      key += 1
    }
  }

  private def addCounts(rows: Int): Unit = {
    var key = 0
    while (key < values.length) {
      val found = columns(key).take(masksOf(key).width).map(_ & known(key))
      counts(key).add(
        LeafCount(rows.toLong, found.map(w => java.lang.Long.bitCount(w).toLong).toVector))
      key += 1
    }
  }

  private[bulkfilter] def ofWord(key: Int, set: Int, depth: Int): Unit = {
    isTrue(depth) = columns(key)(set) & known(key)
    isFalse(depth) = ~columns(key)(set) & known(key)
  }

  private[bulkfilter] def ofRow(key: Int, set: Int): Int =
    if (blocks(key).nulls(0) != 0) Null
    else if (separate(key) == null) (masks(key)(0) >>> set).toInt & 1
    else if (separate(key).holds(set, blocks(key).keys(0))) True
    else False
}

private[bulkfilter] object MembershipEvaluator {

  /** Rows in a word: one for each bit of a long. */
  private final val Word = 64

  /** One word in this many is counted. */
  private final val WordsPerCount = 1024

  private def held(values: ValueSet[OneSet]): KeySet = values match {
    case OneSet(shared) => shared.value
    case other => throw new IllegalArgumentException(s"$other is no set.")
  }

  private def longs(values: ValueSet[OneSet]): LongKeySet = held(values).asInstanceOf[LongKeySet]
}
