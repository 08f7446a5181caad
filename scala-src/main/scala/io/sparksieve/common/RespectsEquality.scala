package io.sparksieve.common

import org.apache.spark.sql.catalyst.expressions.{Left => _, Right => _, _}
import org.apache.spark.sql.catalyst.optimizer.NormalizeNaNAndZero
import org.apache.spark.sql.types._

/**
 * The proof that an expression respects [[SetEquality]]: for rows that are equal column by column
 * its values are equal too, by the equality of its own type, or it fails for both. A condition,
 * whose type is BOOLEAN, then has the same value for equal rows.
 *
 * An allow-list. What it rests on:
 *   1. a deterministic expression over columns whose equality merges nothing sees identical inputs;
 *   1. so does a deterministic function whose arguments respect the equality and are of such
 *      types, whatever the arguments are made of;
 *   1. of the functions over merging types those that are listed here, by class and by type;
 *   1. what is made of expressions that respect the equality respects it.
 *
 * Subqueries, lambda functions over merging types, and everything unknown are declined.
 */
object RespectsEquality {

  def apply(e: Expression): Boolean = e.deterministic && respects(e)

  private def respects(e: Expression): Boolean =
    overPlainColumns(e) || (e.children.forall(respects) && (isLeaf(e) || seesPlain(e) || listed(e)))

  /** Every column that `e` reads is of a type whose equality merges nothing. */
  private def overPlainColumns(e: Expression): Boolean = !e.exists {
    case _: PlanExpression[_] => true
    case a: NamedExpression if a.children.isEmpty => isMerging(a)
    case b: BoundReference => isMerging(b)
    case other => other.children.isEmpty && !isConstant(other)
  }

  // The name of a collation is an expression of Spark 4 that is not called foldable.
  private def isConstant(leaf: Expression) =
    leaf.foldable || leaf.getClass.getSimpleName == "ResolvedCollation"

  private def isLeaf(e: Expression) = e match {
    case _: Attribute | _: BoundReference | _: OuterReference => true
    case other => other.children.isEmpty && isConstant(other)
  }

  /** A function of its arguments, none of which can be one of several equal values. */
  private def seesPlain(e: Expression) = e match {
    case _: PlanExpression[_] | _: HigherOrderFunction | _: LambdaFunction => false
    case other => other.children.nonEmpty && !other.children.exists(isMerging)
  }

  private def isMerging(e: Expression) = SetEquality.merges(e.dataType)

  private def listed(e: Expression): Boolean = e match {
    // Equal values are both NULL or neither is.
    case _: IsNull | _: IsNotNull | _: AtLeastNNonNulls => true
    // The equality is theirs.
    case c: BinaryComparison => c.children.forall(c => isComparable(c.dataType))
    // One of several arguments, and the same one: what chooses it is the same.
    case _: Coalesce | _: If | _: CaseWhen | _: KnownNotNull => true
    // Nested values are equal part by part.
    case _: CreateNamedStruct | _: CreateArray | _: GetStructField | _: GetArrayItem => true
    case s: Size => s.child.dataType.isInstanceOf[ArrayType]
    case _ => listedForFloats(e)
  }

  private def listedForFloats(e: Expression): Boolean = e match {
    case _: IsNaN | _: NaNvl | _: KnownFloatingPointNormalized | _: NormalizeNaNAndZero =>
      e.children.forall(isFloat)
    // A long IN becomes a hash set, which is known to respect the equality of floats alone.
    case In(value, list) => (value +: list).forall(v => mergesFloatsOnly(v))
    case InSet(value, _) => mergesFloatsOnly(value)
    case ArrayContains(array, value) => mergesFloatsOnly(array) && mergesFloatsOnly(value)
    // Sums, products and quotients of zeros of either sign are zeros of some sign, and those of
    // other numbers do not see the sign: Spark's division by a zero of any sign is NULL, or fails.
    case _: Add | _: Subtract | _: Multiply | _: Divide | _: Remainder | _: Pmod =>
      e.children.forall(isFloat)
    case _: UnaryMinus | _: UnaryPositive | _: Abs | _: Signum | _: Rint =>
      e.children.forall(isFloat)
    case _: Greatest | _: Least => e.children.forall(isFloat)
    // Their graphs pass through zero without a jump. Not 1/x, COT, CSC, POW or ATAN2.
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

  private def isFloat(e: Expression) = e.dataType == FloatType || e.dataType == DoubleType

  private def mergesFloatsOnly(e: Expression) = SetEquality.mergesFloatsOnly(e.dataType)

  /** Types over which Spark's comparisons are those of set operations. */
  private def isComparable(t: DataType) =
    SetEquality.mergesFloatsOnly(t) || t.isInstanceOf[StringType]

  /** Whether a cast gives equal values for equal values. Texts, for one, show the sign of a zero. */
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
