// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.common

import java.util.Arrays

import scala.util.control.NonFatal

import org.apache.spark.sql.catalyst.CatalystTypeConverters
import org.apache.spark.sql.catalyst.expressions.Literal
import org.apache.spark.sql.catalyst.util.DateTimeUtils
import org.apache.spark.sql.types.{DataType, DateType, StringType}
import org.apache.spark.unsafe.types.UTF8String

/**
 * Tests whether literals reach a data source unchanged. Spark converts them to Java objects, which
 * cannot represent every value of Spark's types: bytes that are not valid UTF-8 become U+FFFD in a
 * java.lang.String, a day that the JVM's time zone skipped becomes the next day in a java.sql.Date,
 * and the conversion of some timestamps fails.
 */
private[sparksieve] object ExactLiterals {

  /** Whether the value is unchanged after conversion to a Java object and back. */
  def survives(literal: Literal): Boolean = survives(literal.value, literal.dataType)

  /** Whether a Catalyst value is unchanged after conversion to a Java object and back. */
  def survives(value: Any, dataType: DataType): Boolean =
    try {
      val sent = CatalystTypeConverters.convertToScala(value, dataType)
      val read = CatalystTypeConverters.createToCatalystConverter(dataType)(sent)
      same(read, value) && (dataType != DateType || isSqlDate(value))
    } catch { case NonFatal(_) => false }

  /**
   * Whether a literal is an ASCII string, or not a string. An ASCII string compares with every
   * other string, even invalid UTF-8, the same by bytes as by the characters of java.lang.String.
   * For other strings the orders differ: U+FF80 comes before U+1F600 by bytes and after it by
   * characters.
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

  // ORC's filters hold java.sql.Date even where Spark's external type is java.time.LocalDate.
  private def isSqlDate(days: Any) = days match {
    case d: Int => DateTimeUtils.fromJavaDate(DateTimeUtils.toJavaDate(d)) == d
    case _ => false
  }
}
