// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.keyset

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenContext

/**
 * A predicate over several keys that generated code can evaluate for a block of rows at a time.
 */
private[sparksieve] trait SupportsBatchEval extends Expression {

  /** The expressions that yield the values of the keys. */
  def blockKeys: Seq[Expression]

  /** A Java expression of type long that encodes a key. @param value the value, evaluated once */
  def encodeCode(key: Int, value: String): String

  /** A Java expression for a [[BatchEvaluator]] that only this generated code uses. */
  def evaluatorCode(ctx: CodegenContext): String
}

/** Evaluates a predicate for blocks of rows. Not thread-safe; called by generated code. */
private[sparksieve] abstract class BatchEvaluator {

  /** The block where the caller puts a key's values for all rows, and marks NULLs. */
  def block(key: Int): KeyBlock

  /**
   * Evaluates the predicate for the first `count` rows. The result for each row is
   * [[BatchEvaluator.False]], [[BatchEvaluator.True]] or [[BatchEvaluator.Null]].
   */
  def evaluate(count: Int): Array[Byte]
}

/** The results of three-valued logic. */
private[sparksieve] object BatchEvaluator {
  final val False = 0
  final val True = 1
  final val Null = 2
}
