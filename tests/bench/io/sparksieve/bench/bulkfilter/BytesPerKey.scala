// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bench.bulkfilter

import java.util.Locale

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.types.{DataType, LongType, StringType}
import org.apache.spark.unsafe.types.UTF8String

import io.sparksieve.bench.{Case, CaseGroup, Figures, LoopCase, Variant}
import io.sparksieve.keyset.build.{KeySets, KeyTypes}

/**
 * Memory per key of a key set; a case fails if it exceeds its limit. The times are those of
 * membership tests, compared with Java's hash set of boxed values.
 */
object BytesPerKey extends CaseGroup {

  override def position: Int = 3

  private val Keys = 1000000

  override def cases(rows: Long): Seq[Case] = Seq(
    keys("bytes/longs", LongType, atMost = 17)(i => i * 0x3779b97f4bL),
    keys("bytes/dense", LongType, atMost = 1.5)(i => i * 5L),
    keys("bytes/strings", StringType, atMost = 50)(i =>
      UTF8String.fromString(String.format(Locale.ROOT, "customer#%012d", Int.box(i))))
  )

  private def keys(name: String, dataType: DataType, atMost: Double)(key: Int => Any) = LoopCase(
    name,
    s"${Figures.count(Keys.toLong)} keys, of at most $atMost bytes each",
    "java.util.HashSet") { _ =>
    val keyType = KeyTypes.of(dataType).get
    val builder = KeySets.builder(Seq(dataType), Long.MaxValue, Long.MaxValue)
    val boxed = new java.util.HashSet[Any]
    // Every other key is in the set; of the dense keys, that is every tenth number.
    val tested = Array.tabulate(2 * Keys)(key)
    for (i <- 0 until 2 * Keys by 2) {
      builder.add(InternalRow(tested(i)))
      boxed.add(tested(i))
    }
    val set = builder.result().get
    val perKey = set.byteSize.toDouble / set.size
    println(
      s"    ${set.kind}: ${String.format(Locale.ROOT, "%.2f", Double.box(perKey))} bytes a key")
    require(perKey <= atMost, s"a key takes $perKey bytes, and may take $atMost")
    val rows = tested.map(InternalRow(_))
    Seq(
      Variant.Off -> (() => tested.count(boxed.contains(_)).toLong),
      Variant.On -> (() => rows.count(keyType.contains(set, _, 0)).toLong))
  }
}
