// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.adaptivefilter

import org.apache.spark.sql.catalyst.expressions.Attribute

import io.sparksieve.adaptivefilter.codegen.{BatchMembershipTest, GenerateBatchPredicates}
import io.sparksieve.adaptivefilter.exec.{AdaptiveFilter, BatchFilter}
import io.sparksieve.adaptivefilter.predicate.Conjuncts
import io.sparksieve.adaptivefilter.run.BatchPredicates
import io.sparksieve.keyset.{BatchEvaluator, KeyBlock}

/** Finds the predicates that the generated code for batches evaluates in blocks of keys. */
object GeneratedBlocks {

  /** Whether the generated code has a block of keys. */
  def in(predicates: BatchPredicates): Boolean =
    predicates.getClass.getDeclaredFields.map(_.getType).exists { field =>
      field == classOf[KeyBlock] || classOf[BatchEvaluator].isAssignableFrom(field)
    }

  /** How many of a filter's predicates and of their parts are evaluated in blocks. */
  def of(filter: AdaptiveFilter, input: Seq[Attribute]): Int = {
    val flat = BatchFilter.flat(Conjuncts.of(filter.condition, input))
    val tests = flat.count(c => BatchMembershipTest.of(c.bound(input)).nonEmpty)
    val made = GenerateBatchPredicates(flat, input, None, 8000).get
    assert(in(made) == tests > 0)
    tests
  }
}
