package io.sparksieve.common

import java.util.Arrays

import scala.util.control.NonFatal

import org.apache.spark.sql.catalyst.CatalystTypeConverters
import org.apache.spark.sql.catalyst.expressions.Literal
import org.apache.spark.sql.catalyst.util.DateTimeUtils
import org.apache.spark.sql.types.{DataType, DateType, StringType}
import org.apache.spark.unsafe.types.UTF8String

/**
 * Literals that reach a data source as the values that they are. Spark gives them to sources as
 * objects of Java, and these do not hold every value of Spark's types: bytes that are no valid
 * UTF-8 become U+FFFD in a java.lang.String, a day that the JVM's time zone has skipped becomes
 * the next one in a java.sql.Date, and some timestamps are an error.
 */
object ExactLiterals {

  /** Whether the value, as Java's object and back, is the same. */
  def survives(literal: Literal): Boolean = survives(literal.value, literal.dataType)

  /** The same of a value of Catalyst's. */
  def survives(value: Any, dataType: DataType): Boolean =
    try {
      val sent = CatalystTypeConverters.convertToScala(value, dataType)
      val read = CatalystTypeConverters.createToCatalystConverter(dataType)(sent)
      same(read, value) && (dataType != DateType || isSqlDate(value))
    } catch { case NonFatal(_) => false }

  /**
   * Whether a string is all ASCII. An ASCII string compares with every other, even one that is no
   * valid UTF-8, the same by its bytes as by the characters of java.lang.String; for others the
   * orders differ (U+FF80 comes before U+1F600 by bytes and after it by characters).
   */
  def isAscii(literal: Literal): Boolean = literal.value match {
    case s: UTF8String => isAscii(s)
    case _ => !literal.dataType.isInstanceOf[StringType]
  }

  def isAscii(text: UTF8String): Boolean = text.getBytes.forall(_ >= 0)

  private def same(a: Any, b: Any) = (a, b) match {
    case (x: Array[Byte], y: Array[Byte]) => Arrays.equals(x, y)
    case _ => a == b
  }

  // ORC's filters hold java.sql.Date, also where Spark's rows are read as java.time.LocalDate.
  private def isSqlDate(days: Any) = days match {
    case d: Int => DateTimeUtils.fromJavaDate(DateTimeUtils.toJavaDate(d)) == d
    case _ => false
  }
}
