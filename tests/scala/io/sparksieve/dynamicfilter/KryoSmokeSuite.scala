// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.dynamicfilter

import java.nio.file.Files

import org.apache.spark.SparkConf
import org.apache.spark.serializer.KryoSerializer

/** Key sets reach tasks and driver also where Kryo takes no class that is not registered. */
class KryoSmokeSuite extends DynamicFilterTest {

  override protected def sparkConf: SparkConf =
    super.sparkConf
      .set("spark.serializer", classOf[KryoSerializer].getName)
      .set("spark.kryo.registrationRequired", "true")

  test("keys of a broadcast and of a shuffle") {
    assertFiltered(sql(Document))
    shuffled(assertFiltered(sql(Document)))
    withConf("spark.sql.codegen.wholeStage" -> "false")(assertFiltered(sql(Document)))
  }

  test("keys held as strings, and in a Bloom filter") {
    assertFiltered(sql(Document.replace("big.id = small.id", "big.s = small.s")))
    withConf(
      "spark.sieve.dynamicFilter.bloom.enabled" -> "true",
      "spark.sieve.dynamicFilter.maxKeys" -> "2")(assertFiltered(sql(Document)))
  }

  test("values of files") {
    withTempDir { dir =>
      val ids = Files.writeString(dir.toPath.resolve("ids.txt"), "5\n70\n800\n")
      val more = Files.writeString(dir.toPath.resolve("more.txt"), "70\n6000\n")
      val found = sql(s"""SELECT id FROM big
        WHERE in_file(id, '$ids') OR (in_file(id, '$more') AND NOT in_file(k, '$ids'))""")
      assert(found.collect().map(_.getLong(0)).sorted.toSeq == Seq(5, 70, 800, 6000))
    }
  }
}
