package io.sparksieve.keyset

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenContext

/**
 * An expression that is true if the value of its key is in one set, false if not, and NULL where the
 * key is NULL. Generated code that has many rows at hand may ask for a [[KeyBlock]] of keys at a
 * time.
 */
trait AskedInBlocks extends Expression {

  /** Whether the set takes blocks; known when the set is. Else none of the others is called. */
  def takesBlocks: Boolean

  /** What yields the value. */
  def blockKey: Expression

  /** A Java expression of type long for the key. @param value the value, evaluated once */
  def encodeCode(value: String): String

  /** A Java expression for the set, of the set's own class. */
  def setCode(ctx: CodegenContext): String
}
