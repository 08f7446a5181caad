// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.common

import org.apache.spark.sql.catalyst.expressions.{Left => _, Right => _, _}
import org.apache.spark.sql.catalyst.expressions.codegen.CodeGenerator
import org.apache.spark.sql.catalyst.expressions.objects.StaticInvoke
import org.apache.spark.sql.catalyst.optimizer.NormalizeNaNAndZero
import org.apache.spark.sql.catalyst.util.CharVarcharCodegenUtils
import org.apache.spark.sql.execution.{InSubqueryExec, ScalarSubquery}
import org.apache.spark.sql.types._

/**
 * Marks expressions of Sieve that raise no error for any values of their children, and evaluate in
 * time linear in the size of those values. [[CannotFail]] accepts them.
 */
private[sparksieve] trait NeverFails extends Expression

/**
 * Tests whether an expression can safely be evaluated for any row: for all values of its input
 * types it terminates without an error, in interpreted evaluation and in generated code, with ANSI
 * mode on and off.
 *
 * This is an allow-list by class and by type. Everything else (a new Spark function, a new Spark
 * type, a class of another library) counts as an expression that can fail. The guarantee covers all
 * values of a type: least and greatest, NULL, NaN, both zeros, strings that are not valid UTF-8,
 * dates and times whose year does not have four digits. Evaluation time is linear in the input; for
 * regular expressions and LIKE it is at most quadratic, see [[Patterns]]. Running out of memory
 * does not count as an error, because the original plan would run out of memory for that row too.
 */
private[sparksieve] object CannotFail {

  def apply(e: Expression): Boolean = isTotal(e) && e.children.forall(apply)

  /** Whether `e` itself cannot fail if its children do not fail. */
  private def isTotal(e: Expression): Boolean = e match {
    case _: Attribute | _: BoundReference | _: Literal | _: OuterReference => true
    case _: NeverFails => true
    case _ if !e.resolved => false
    case _: IsNull | _: IsNotNull => true
    case _: EqualTo | _: EqualNullSafe => comparesChildren(e)
    case _: LessThan | _: LessThanOrEqual | _: GreaterThan | _: GreaterThanOrEqual =>
      comparesChildren(e)
    case _: In => comparesChildren(e)
    case InSet(child, _) => Types.isComparable(child.dataType)
    // Subqueries of physical plans: their results are read before the operator's first row.
    case _: ScalarSubquery => true
    case s: InSubqueryExec => Types.isComparable(s.child.dataType)
    case _ => isLogic(e) || isOfStrings(e) || isOfTimes(e) || isOfNumbers(e) || isOfNested(e)
  }

  private def comparesChildren(e: Expression) =
    e.children.forall(c => Types.isComparable(c.dataType))

  private def isLogic(e: Expression): Boolean = e match {
    case _: And | _: Or | _: Not => true
    case _: Coalesce | _: If | _: CaseWhen => true
    // Asserts that its child is not NULL. If the child is NULL after all, only a Java primitive
    // still has a value to read.
    case k: KnownNotNull => !k.child.nullable || CodeGenerator.isPrimitiveType(k.dataType)
    case _ => false
  }

  private val Collates = Set("Collate", "ResolvedCollation")

  private def isOfStrings(e: Expression): Boolean = e match {
    case StartsWith(s, p) => Types.areBinaryStrings(s, p)
    case EndsWith(s, p) => Types.areBinaryStrings(s, p)
    // The search string must be a literal, because it is compared at each position of `s`.
    case Contains(s, part: Literal) => Types.areBinaryStrings(s, part)
    case StringInstr(s, part: Literal) => Types.areBinaryStrings(s, part)
    case u: Upper => Types.areBinaryStrings(u.child)
    case l: Lower => Types.areBinaryStrings(l.child)
    case c: Concat => Types.areBinaryStrings(c.children: _*)
    case l: Length => Types.isBinaryString(l.child.dataType) || l.child.dataType == BinaryType
    case l: OctetLength => Types.isBinaryString(l.child.dataType) || l.child.dataType == BinaryType
    case Substring(s, _, _) => Types.isBinaryString(s.dataType) || s.dataType == BinaryType
    case _: StringTrim | _: StringTrimLeft | _: StringTrimRight =>
      Types.areBinaryStrings(e.children: _*) && e.children.tail.forall(_.isInstanceOf[Literal])
    case Like(s, Literal(pattern, _), escape) =>
      Types.isBinaryString(s.dataType) && pattern != null &&
      Patterns.isHarmlessLike(pattern.toString, escape)
    case RLike(s, Literal(pattern, _)) =>
      Types.isBinaryString(s.dataType) && pattern != null &&
      Patterns.isHarmlessRegex(pattern.toString)
    // Pads a CHAR column that is read.
    case s: StaticInvoke =>
      s.staticObject == classOf[CharVarcharCodegenUtils] && s.functionName == "readSidePadding"
    // COLLATE only gives its child another type. Spark 3.5 does not have it.
    case other => Collates(other.getClass.getSimpleName)
  }

  private def isOfTimes(e: Expression): Boolean = e match {
    // Computed from the number of a day, which is an INT, so no year is out of range.
    case _: Year | _: Quarter | _: Month | _: DayOfMonth | _: DayOfWeek | _: DayOfYear =>
      e.children.forall(_.dataType == DateType)
    case _: Hour | _: Minute | _: Second =>
      e.children.forall(c => c.dataType == TimestampType || c.dataType == TimestampNTZType)
    case _: CurrentDate | _: CurrentTimestampLike | _: LocalTimestamp => true
    case _: DateAdd | _: DateSub => true
    case DateDiff(end, start) => end.dataType == DateType && start.dataType == DateType
    case _ => false
  }

  private def isOfNumbers(e: Expression): Boolean = e match {
    case c: Cast =>
      TotalCasts(c.child.dataType, c.dataType) ||
      (c.evalMode == EvalMode.LEGACY && Types.isBinaryString(c.child.dataType) &&
        Types.isPrimitiveNumber(c.dataType))
    // What `show` prints.
    case p: ToPrettyString => TotalCasts(p.child.dataType, StringType)
    case n: IsNaN => Types.isFloat(n.child.dataType)
    case _: UnaryMinus | _: Abs => Types.isFloat(e.dataType)
    case _: Add | _: Subtract | _: Multiply =>
      Types.isFloat(e.dataType) || (Types.isPrimitiveNumber(e.dataType) && !isAnsi(e))
    case _: Divide | _: IntegralDivide | _: Remainder | _: Pmod
        if !isAnsi(e) && e.children.forall(c => Types.isPrimitiveNumber(c.dataType)) =>
      true
    case Remainder(left, right, _) => isDivisor(left, right)
    case Pmod(left, right, _) => isDivisor(left, right)
    case Divide(left, right, _) => Types.isFloat(left.dataType) && isDivisor(left, right)
    case k: KnownFloatingPointNormalized => Types.isComparable(k.dataType)
    case n: NormalizeNaNAndZero => Types.isFloat(n.dataType)
    case x: XxHash64 => x.children.forall(c => Types.isHashable(c.dataType))
    case b: BloomFilterMightContain =>
      b.bloomFilterExpression.isInstanceOf[ScalarSubquery] && b.valueExpression.dataType == LongType
    case _ => false
  }

  /** Whether arithmetic raises errors. On Spark 4 its mode is a part of a context. */
  def isAnsi(arithmetic: Expression): Boolean = arithmetic.productIterator.exists {
    case _: Expression => false
    case context: Product => context.productIterator.contains(EvalMode.ANSI)
    case mode => mode == EvalMode.ANSI
  }

  private def isOfNested(e: Expression): Boolean = e match {
    case _: CreateArray => true
    case n: CreateNamedStruct => n.nameExprs.forall(_.isInstanceOf[Literal])
    case g: GetStructField => g.child.dataType.isInstanceOf[StructType]
    case s: Size =>
      s.child.dataType.isInstanceOf[ArrayType] || s.child.dataType.isInstanceOf[MapType]
    case ArrayContains(array, value) =>
      Types.isComparable(array.dataType) && Types.isComparable(value.dataType)
    case _ => false
  }

  private def isDivisor(left: Expression, right: Expression) =
    Types.isPrimitiveNumber(left.dataType) && (constant(right) match {
      case Some(value: Number) => value.doubleValue != 0
      case _ => false
    })

  /** The value of a literal or of a cast literal, such as `2` in an unoptimized `d / 2`. */
  private def constant(e: Expression): Option[Any] = e match {
    case Literal(value, _) => Some(value)
    case c @ Cast(_: Literal, _, _, _) if apply(c) => Some(c.eval())
    case _ => None
  }
}
