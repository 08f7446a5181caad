// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.keyset

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenContext

/**
 * A membership test of one key in one set: true if the set contains the value of the key, false if
 * not, and NULL if the key is NULL. Generated code that processes many rows can look up a
 * [[KeyBlock]] of keys at a time.
 */
private[sparksieve] trait SupportsBatchLookup extends Expression {

  /**
   * Whether the set can look up blocks, which is known when the set is known. If false, no other
   * method of this trait is called.
   */
  def takesBlocks: Boolean

  /** The expression that yields the value to look up. */
  def blockKey: Expression

  /** A Java expression of type long that encodes the key. @param value the value, evaluated once */
  def encodeCode(value: String): String

  /** A Java expression for the set, typed as the set's concrete class. */
  def setCode(ctx: CodegenContext): String
}
