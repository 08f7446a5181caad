package io.sparksieve.setop

import org.apache.spark.sql.catalyst.expressions.{Left => _, Right => _, _}
import org.apache.spark.sql.types.StringType

/**
 * Expressions that cannot raise an error, whatever the row: a whitelist, so that an expression
 * Sieve does not know counts as fallible.
 */
object Infallible {

  def apply(e: Expression): Boolean = (e match {
    case _: Attribute | _: Literal | _: OuterReference => true
    case _: BinaryComparison | _: And | _: Or | _: Not => true
    case _: IsNull | _: IsNotNull | _: IsNaN | _: Coalesce | _: In | _: InSet => true
    case _: StartsWith | _: EndsWith | _: Contains => true
    // A pattern with an escape may be malformed, and one that is not constant in some row only.
    case Like(_, pattern: Literal, escape) =>
      pattern.value != null && pattern.value.toString.indexOf(escape) < 0
    case c: Cast => Cast.canUpCast(c.child.dataType, c.dataType) || toString(c)
    case _: GetStructField => true
    case _ => false
  }) && e.children.forall(apply)

  private def toString(c: Cast) = c.dataType == StringType
}
