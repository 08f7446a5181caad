// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.rangesource

import java.math.BigInteger

import org.apache.spark.sql.types._

/**
 * A column of the table: a power of the key.
 *
 * @param name
 *   the name in Spark
 */
private[rangesource] sealed abstract class RangeColumn(val name: String, val power: Int)
    extends Product
    with Serializable {

  /** The type of the column in a table of `rows` rows. */
  def dataType(rows: Int): DataType

  /** The number of keys of a table, from the first on, whose values are at most `bound`. */
  final def keysUpTo(bound: BigInteger, rows: Int): Int =
    if (bound.signum <= 0) 0
    else if (bound.compareTo(value(rows)) >= 0) rows
    else {
      // The rounded root may be off by one.
      var key = math.pow(bound.doubleValue, 1.0 / power).toInt
      while (value(key).compareTo(bound) > 0) key -= 1
      while (value(key + 1).compareTo(bound) <= 0) key += 1
      key
    }

  private def value(key: Int) = BigInteger.valueOf(key.toLong).pow(power)
}

private[rangesource] object RangeColumn {

  case object Key extends RangeColumn("val", 1) {
    override def dataType(rows: Int): DataType = IntegerType
  }

  case object Squared extends RangeColumn("squared", 2) {
    override def dataType(rows: Int): DataType = LongType
  }

  case object Cubed extends RangeColumn("cubed", 3) {
    override def dataType(rows: Int): DataType =
      if (rows <= RangeDb.MaxLongCube) LongType else WideCube
  }

  /** The cube of the largest INT has 28 digits. */
  val WideCube: DecimalType = DecimalType(28, 0)

  val All: Seq[RangeColumn] = Seq(Key, Squared, Cubed)

  /** The struct of the other columns, if the table is nested. */
  val Struct = "data"

  /** The columns of a table. */
  def schema(rows: Int, nested: Boolean): StructType = {
    def field(c: RangeColumn) = StructField(c.name, c.dataType(rows), nullable = false)
    val others = Seq(Squared, Cubed).map(field)
    if (nested)
      StructType(Seq(field(Key), StructField(Struct, StructType(others), nullable = false)))
    else StructType(field(Key) +: others)
  }

  /** The column that a reference names; None if it names the struct, or no column. */
  def at(path: Seq[String], nested: Boolean): Option[RangeColumn] = path match {
    case Seq(name) => named(name).filter(_ == Key || !nested)
    case Seq(struct, name) if nested && struct.equalsIgnoreCase(Struct) =>
      named(name).filter(_ != Key)
    case _ => None
  }

  /** The column with a name, in any case; None if there is none. */
  def named(name: String): Option[RangeColumn] = All.find(_.name.equalsIgnoreCase(name))
}
