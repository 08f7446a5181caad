package io.sparksieve.adaptivefilter

import org.apache.spark.sql.catalyst.expressions.Attribute

import io.sparksieve.keyset.{BlockAsker, KeyBlock}

/** What the code that is made for batches asks in blocks of keys. */
object GeneratedBlocks {

  /** Whether there is a block in it. */
  def in(predicates: BatchPredicates): Boolean =
    predicates.getClass.getDeclaredFields.map(_.getType).exists { field =>
      field == classOf[KeyBlock] || classOf[BlockAsker].isAssignableFrom(field)
    }

  /** How many of the predicates of a filter and their parts are asked in blocks. */
  def of(filter: AdaptiveFilter, input: Seq[Attribute]): Int = {
    val flat = BatchFilter.flat(Conjuncts.of(filter.condition, input))
    val asked = flat.count(c => BlockQuestion.of(c.bound(input)).nonEmpty)
    val made = GenerateBatchPredicates(flat, input, None, 8000).get
    assert(in(made) == asked > 0)
    asked
  }
}
