// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.keyset

import org.apache.spark.SparkConf
import org.apache.spark.serializer.{JavaSerializer, KryoSerializer, SerializerInstance}
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.types._
import org.apache.spark.unsafe.types.UTF8String
import org.apache.spark.util.SizeEstimator

import io.sparksieve.keyset.build.KeyTypes
import io.sparksieve.keyset.bytes.BytesKeySet
import io.sparksieve.keyset.encoding.CompositeKey

/** Serialization of sets, as for broadcasts and task results, and the sizes that they report. */
class KeySetSerializationSuite extends KeySetTest {

  private val serializers: Seq[(String, SerializerInstance)] = Seq(
    "Java" -> new JavaSerializer(new SparkConf()).newInstance(),
    "Kryo" -> new KryoSerializer(new SparkConf()).newInstance())

  private def sent[T <: AnyRef](serializer: SerializerInstance, value: T): T =
    serializer.deserialize[AnyRef](serializer.serialize[AnyRef](value)).asInstanceOf[T]

  private val words = (1 to 3000).map(i => UTF8String.fromString(s"word $i"))

  private def composite(n: Int) = {
    val keys = builder(Seq(IntegerType, StringType))
    words.take(n).zipWithIndex.foreach { case (w, i) => keys.add(InternalRow(i, w)) }
    keys.result().get.asInstanceOf[CompositeKeySet]
  }

  for ((name, serializer) <- serializers) {
    test(s"$name: sets of longs answer the same") {
      for ((arrangement, keys, kind) <- arrangements) {
        val set = longs(keys)
        val copy = sent(serializer, set)
        assert(copy ne set)
        assert((copy.kind, copy.size, copy.byteSize) == ((kind, set.size, set.byteSize)))
        assert(copy.sorted.sameElements(set.sorted), arrangement)
        probes(keys.take(500)).foreach(p => assert(copy.contains(p) == set.contains(p)))
      }
    }

    test(s"$name: sets of many longs answer the same") {
      for (distance <- Seq(1000L, 0x9e3779b97f4a7c15L)) {
        val set = longs((0L until 30000L).map(_ * distance))
        val copy = sent(serializer, set)
        assert(copy.kind == set.kind && copy.sorted.sameElements(set.sorted))
        assert((-10L to 30010L).forall { i =>
          copy.contains(i * distance) == (i >= 0 && i < 30000) && !copy.contains(i * distance + 1)
        })
      }
    }

    test(s"$name: sets of bytes and of rows answer the same") {
      for (n <- Seq(0, 1, 2000)) {
        val set = setOf(StringType, words.take(n)).asInstanceOf[BytesKeySet]
        val copy = sent(serializer, set)
        assert((copy.kind, copy.size, copy.byteSize) == ((set.kind, n, set.byteSize)))
        assert(words.forall(w => copy.contains(w) == set.contains(w)))
        if (n > 0) assert(copy.min.sameElements(set.min) && copy.max.sameElements(set.max))
        val rows = sent(serializer, composite(n))
        val projection = CompositeKey.projection(Seq(IntegerType, StringType))
        words.zipWithIndex.foreach { case (w, i) =>
          assert(rows.contains(projection(InternalRow(i, w))) == i < n)
        }
      }
    }

    test(s"$name: types of keys arrive too") {
      for (t <- Seq(LongType, DoubleType, DecimalType(10, 2), StringType, DecimalType(30, 2))) {
        val keyType = KeyTypes.of(t).get
        assert(sent(serializer, keyType).dataType == t)
      }
    }
  }

  test("of hashed sets the keys are sent, and no free slots") {
    for ((distance, bytes) <- Seq(1000L -> 4, 0x9e3779b97f4a7c15L -> 8)) {
      val set = longs((0L until 30000L).map(_ * distance))
      val length = serializers.head._2.serialize[AnyRef](set).remaining
      assert(length < 30000 * bytes + 2000, set.kind)
    }
  }

  test("the size that a set reports is what it takes") {
    val sets = arrangements.map(a => longs(a._2)) ++ Seq(0, 1, 7, 2000).flatMap { n =>
      Seq(setOf(StringType, words.take(n)), composite(n))
    }
    for (set <- sets) {
      val estimated = SizeEstimator.estimate(set)
      assert(
        math.abs(set.byteSize - estimated) <= estimated / 10,
        s"${set.kind} of ${set.size}: ${set.byteSize}, estimated $estimated")
    }
  }
}
