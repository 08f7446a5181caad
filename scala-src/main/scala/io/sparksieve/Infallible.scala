package io.sparksieve

import java.util.regex.{Pattern, PatternSyntaxException}

import org.apache.spark.sql.catalyst.expressions.{Left => _, Right => _, _}
import org.apache.spark.sql.catalyst.optimizer.NormalizeNaNAndZero
import org.apache.spark.sql.execution.{InSubqueryExec, ScalarSubquery}
import org.apache.spark.sql.types._

import io.sparksieve.bulkfilter.{BulkKeys, BulkLeaf}

/**
 * Expressions that cannot raise an error, whatever the row: a whitelist, so that an expression
 * Sieve does not know counts as fallible.
 */
object Infallible {

  def apply(e: Expression): Boolean = isSafe(e) && e.children.forall(apply)

  private def isSafe(e: Expression) = e match {
    case _: Attribute | _: BoundReference | _: Literal | _: OuterReference => true
    case _: BinaryComparison | _: And | _: Or | _: Not => true
    case _: IsNull | _: IsNotNull | _: IsNaN | _: In | _: InSet => true
    case _: Coalesce | _: If | _: CaseWhen | _: KnownNotNull => true
    case _: StartsWith | _: EndsWith | _: Contains => true
    case _: Upper | _: Lower | _: Length | _: OctetLength | _: Substring => true
    case _: StringTrim | _: StringTrimLeft | _: StringTrimRight | _: StringInstr => true
    case _: Year | _: Quarter | _: Month | _: DayOfMonth | _: DayOfWeek | _: DayOfYear => true
    case _: Hour | _: Minute | _: Second | _: DateDiff => true
    // A pattern with an escape may be malformed, and one that is not constant in some row only.
    case Like(_, pattern: Literal, escape) =>
      pattern.value != null && pattern.value.toString.indexOf(escape) < 0
    case RLike(_, pattern: Literal) =>
      pattern.value != null && isHarmless(pattern.value.toString)
    case c: Cast => isSafeCast(c)
    case _: Add | _: Subtract | _: Multiply | _: UnaryMinus | _: Abs => isFloat(e.dataType)
    case Remainder(left, right, _) => isDivisor(left, right)
    case Pmod(left, right, _) => isDivisor(left, right)
    case Divide(left, right, _) => isFloat(left.dataType) && isDivisor(left, right)
    case _: KnownFloatingPointNormalized | _: NormalizeNaNAndZero => true
    case _: XxHash64 | _: BloomFilterMightContain => true
    case _: GetStructField | _: Size | _: ArrayContains => true
    // Those of physical plans, which have run before a row is seen.
    case _: ScalarSubquery | _: InSubqueryExec | _: BulkKeys => true
    case _: BulkLeaf => true
    case _ => false
  }

  private def isSafeCast(c: Cast) = (c.child.dataType, c.dataType) match {
    case (_, StringType) => true
    // A day, or a time of another zone, may lie beyond what a timestamp holds.
    case (DateType | TimestampNTZType, TimestampType) | (DateType, TimestampNTZType) => false
    case (from, to) => Cast.canUpCast(from, to)
  }

  // Java matches a group that repeats by recursion: a long string may overflow the stack.
  private def isHarmless(pattern: String) = !RepeatedGroup.matcher(pattern).find() &&
    (try {
      Pattern.compile(pattern)
      true
    } catch {
      case _: PatternSyntaxException => false
    })

  private val RepeatedGroup = Pattern.compile("\\)[*+?{]")

  private def isFloat(dataType: DataType) = dataType == DoubleType || dataType == FloatType

  private def isDivisor(left: Expression, right: Expression) = right match {
    case Literal(value: Number, _) => isNumber(left.dataType) && value.doubleValue != 0
    case _ => false
  }

  private def isNumber(dataType: DataType) = dataType match {
    case ByteType | ShortType | IntegerType | LongType | FloatType | DoubleType => true
    case _ => false
  }
}
