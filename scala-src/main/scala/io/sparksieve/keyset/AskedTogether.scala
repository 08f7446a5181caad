package io.sparksieve.keyset

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenContext

/**
 * A predicate over several keys that generated code which has many rows at hand may ask for a block
 * of rows at a time.
 */
trait AskedTogether extends Expression {

  /** What yields the values. */
  def blockKeys: Seq[Expression]

  /** A Java expression of type long for a key. @param value the value, evaluated once */
  def encodeCode(key: Int, value: String): String

  /** A Java expression for a [[BlockAsker]] of the code's own. */
  def askerCode(ctx: CodegenContext): String
}

/** Answers for blocks of rows. For one thread, and for generated code. */
abstract class BlockAsker {

  /** Where the rows' values of a key are put, and which of them are NULL. */
  def block(key: Int): KeyBlock

  /**
   * For each of the first `count` rows [[BlockAsker.False]], [[BlockAsker.True]] or
   * [[BlockAsker.Null]].
   */
  def ask(count: Int): Array[Byte]
}

/** Answers in SQL's three values. */
object BlockAsker {
  final val False = 0
  final val True = 1
  final val Null = 2
}
