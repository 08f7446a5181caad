// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.common

import org.apache.spark.sql.catalyst.expressions.{Left => _, Right => _, _}
import org.apache.spark.sql.catalyst.optimizer.NormalizeNaNAndZero
import org.apache.spark.sql.types._

/**
 * Proves that an expression respects [[SetEquality]]: for rows that are equal column by column, its
 * values are equal too, by the equality of its own type, or it fails for both rows. A condition,
 * whose type is BOOLEAN, then has the same value for equal rows.
 *
 * This is an allow-list, which rests on these facts:
 *   1. A deterministic expression over columns whose equality merges nothing sees identical inputs.
 *   1. A deterministic function also sees identical inputs if its arguments respect the equality
 *      and their types merge nothing, no matter how the arguments are computed.
 *   1. Functions over merging types respect the equality if they are listed here, by class and by
 *      type.
 *   1. An expression that is composed of expressions that respect the equality respects it too.
 *
 * Subqueries, lambda functions over merging types, and everything unknown are rejected.
 */
private[sparksieve] object RespectsEquality {

  def apply(e: Expression): Boolean = e.deterministic && respects(e)

  private def respects(e: Expression): Boolean =
    overPlainColumns(e) || (e.children.forall(respects) && (isLeaf(e) || seesPlain(e) || listed(e)))

  /** Whether every column that `e` reads is of a type whose equality merges nothing. */
  private def overPlainColumns(e: Expression): Boolean = !e.exists {
    case _: PlanExpression[_] => true
    case a: NamedExpression if a.children.isEmpty => isMerging(a)
    case b: BoundReference => isMerging(b)
    case other => other.children.isEmpty && !isConstant(other)
  }

  // Spark 4 represents the name of a collation by a constant expression that is not `foldable`.
  private def isConstant(leaf: Expression) =
    leaf.foldable || leaf.getClass.getSimpleName == "ResolvedCollation"

  private def isLeaf(e: Expression) = e match {
    case _: Attribute | _: BoundReference | _: OuterReference => true
    case other => other.children.isEmpty && isConstant(other)
  }

  /** Whether `e` is a function of its arguments, none of which is of a merging type. */
  private def seesPlain(e: Expression) = e match {
    case _: PlanExpression[_] | _: HigherOrderFunction | _: LambdaFunction => false
    case other => other.children.nonEmpty && !other.children.exists(isMerging)
  }

  private def isMerging(e: Expression) = SetEquality.merges(e.dataType)

  private def listed(e: Expression): Boolean = e match {
    // Of two equal values, both are NULL or neither is.
    case _: IsNull | _: IsNotNull | _: AtLeastNNonNulls => true
    // Comparisons use this very equality.
    case c: BinaryComparison => c.children.forall(c => isComparable(c.dataType))
    // These return one of their arguments, and choose the same one for equal rows.
    case _: Coalesce | _: If | _: CaseWhen | _: KnownNotNull => true
    // Nested values are equal if their parts are equal.
    case _: CreateNamedStruct | _: CreateArray | _: GetStructField | _: GetArrayItem => true
    case s: Size => s.child.dataType.isInstanceOf[ArrayType]
    case _ => listedForFloats(e)
  }

  private def listedForFloats(e: Expression): Boolean = e match {
    case _: IsNaN | _: NaNvl | _: KnownFloatingPointNormalized | _: NormalizeNaNAndZero =>
      e.children.forall(isFloat)
    // Spark turns a long IN into a hash set, which is known to respect only floats' equality.
    case In(value, list) => (value +: list).forall(v => mergesFloatsOnly(v))
    case InSet(value, _) => mergesFloatsOnly(value)
    case ArrayContains(array, value) => mergesFloatsOnly(array) && mergesFloatsOnly(value)
    // The sign of a zero operand changes at most the sign of a zero result: Spark's division by a
    // zero of either sign is NULL or fails.
    case _: Add | _: Subtract | _: Multiply | _: Divide | _: Remainder | _: Pmod =>
      e.children.forall(isFloat)
    case _: UnaryMinus | _: UnaryPositive | _: Abs | _: Signum | _: Rint =>
      e.children.forall(isFloat)
    case _: Greatest | _: Least => e.children.forall(isFloat)
    // Functions that are continuous at zero. Not so 1/x, COT, CSC, POW and ATAN2.
    case _: Sqrt | _: Cbrt | _: Exp | _: Expm1 | _: Log | _: Log2 | _: Log10 | _: Log1p =>
      e.children.forall(isFloat)
    case _: Sin | _: Cos | _: Tan | _: Asin | _: Acos | _: Atan | _: Sinh | _: Cosh | _: Tanh =>
      e.children.forall(isFloat)
    case _: ToDegrees | _: ToRadians | _: Floor | _: Ceil => e.children.forall(isFloat)
    case r: Round => isFloat(r.child) && r.scale.foldable
    case r: BRound => isFloat(r.child) && r.scale.foldable
    case c: Cast => respects(c.child.dataType, c.dataType)
    case _ => false
  }

  private def isFloat(e: Expression) = Types.isFloat(e.dataType)

  private def mergesFloatsOnly(e: Expression) = SetEquality.mergesFloatsOnly(e.dataType)

  /** Types for which Spark's comparisons use the same equality as set operations. */
  private def isComparable(t: DataType) =
    SetEquality.mergesFloatsOnly(t) || t.isInstanceOf[StringType]

  /**
   * Whether a cast returns equal values for equal values. A cast to a string, for example, does
   * not: it shows the sign of a zero.
   */
  private def respects(from: DataType, to: DataType): Boolean = (from, to) match {
    case (a, b) if a == b || !SetEquality.merges(a) => true
    case (FloatType | DoubleType, FloatType | DoubleType | BooleanType) => true
    case (FloatType | DoubleType, ByteType | ShortType | IntegerType | LongType) => true
    case (FloatType | DoubleType, _: DecimalType) => true
    case (a: ArrayType, b: ArrayType) => respects(a.elementType, b.elementType)
    case (a: StructType, b: StructType) =>
      a.length == b.length &&
      a.zip(b).forall { case (x, y) => respects(x.dataType, y.dataType) }
    case _ => false
  }
}
