// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop.sources

import java.io.File
import java.nio.file.Files

import org.apache.commons.io.FileUtils

import org.apache.spark.network.util.JavaUtils
import org.apache.spark.sql.functions.lit
import org.apache.spark.sql.streaming.Trigger

/** Commands that overwrite a directory which their query reads by another name, or through a link. */
class OverwrittenLinksSuite extends OverwrittenSourceTest {

  test("a directory by the name of a link, and links within a directory") {
    withNumbers { dir =>
      withTempDir { links =>
        write(dir)
        val link = Files.createSymbolicLink(new File(links, "all").toPath, dir.toPath)
        val query = queries(spark.read.parquet(link.toString)).head
        assert(reasons(query.write.mode("overwrite").parquet(dir.getPath)) == Refused)
        checkAnswer(spark.read.parquet(dir.getPath), kept)
        write(dir)
        val inner = new File(links, "some")
        assert(inner.mkdir())
        relink(dir, inner)
        withTable("linked") {
          sql("CREATE TABLE linked (id BIGINT, p INT) USING parquet PARTITIONED BY (p)")
          sql(s"ALTER TABLE linked ADD PARTITION (p = 1) LOCATION '${inner.toURI}'")
          val outer = new File(links, "outer")
          assert(outer.mkdir())
          Files.createSymbolicLink(new File(outer, "p=1").toPath, inner.toPath)
          def read(directory: File) = spark.read.parquet(directory.getPath)
          for (t <- Seq(() => read(inner), () => read(outer), () => spark.table("linked"))) {
            val query = queries(t().select("id")).head
            assert(reasons(query.write.mode("overwrite").parquet(dir.getPath)) == Refused)
            checkAnswer(spark.read.parquet(dir.getPath), kept)
            relink(dir, inner)
          }
        }
      }
    }
  }

  /** Writes the numbers to `dir`, and makes `links` a directory of links to its files. */
  private def relink(dir: File, links: File): Unit = {
    links.listFiles.foreach(_.delete())
    write(dir)
    for (file <- dir.listFiles if file.getName.endsWith(".parquet"))
      Files.createSymbolicLink(new File(links, file.getName).toPath, file.toPath)
  }

  test("links that lie in the directory which is overwritten") {
    withNumbers { dir =>
      withTempDir { elsewhere =>
        def link(from: File, to: File): File = {
          from.getParentFile.mkdirs()
          Files.createSymbolicLink(from.toPath, to.toPath).toFile
        }
        val numbers = new File(elsewhere, "numbers")
        // Each makes names that lead through the directory to the numbers, and returns what to read.
        val ways = Seq[String => File](
          _ => link(new File(dir, "all"), numbers),
          _ => {
            link(new File(dir, "all"), new File("../" + elsewhere.getName + "/numbers"))
            new File(dir, "./all")
          },
          _ => {
            val files = new File(dir, "files")
            assert(files.mkdirs())
            relink(numbers, files)
            files
          },
          name => link(new File(elsewhere, name), link(new File(dir, "all"), numbers)),
          name => {
            val (through, files) = (new File(dir, "files"), new File(elsewhere, name))
            assert(through.mkdirs() && files.mkdirs())
            relink(numbers, through)
            through.listFiles.foreach(file => link(new File(files, file.getName), file))
            files
          }
        )
        for ((way, i) <- ways.zipWithIndex; (_, q) <- queries(spark.range(1).toDF()).zipWithIndex) {
          JavaUtils.deleteRecursively(dir)
          write(dir)
          write(numbers)
          val query = queries(spark.read.parquet(way(s"way-$i-$q").getPath))(q)
          assert(reasons(query.write.mode("overwrite").parquet(dir.getPath)) == Refused, (i, q))
          checkAnswer(spark.read.parquet(dir.getPath), kept)
        }
      }
    }
  }

  test("links in a circle, which lead nowhere") {
    withNumbers { dir =>
      withTempDir { links =>
        write(dir)
        write(new File(links, "numbers"))
        Files.createSymbolicLink(new File(links, "_a").toPath, new File(links, "_b").toPath)
        Files.createSymbolicLink(new File(links, "_b").toPath, new File(links, "_a").toPath)
        val query = queries(spark.read.parquet(new File(links, "numbers").getPath)).head
        assert(reasons(query.write.mode("overwrite").parquet(dir.getPath)) == Set(None))
        // A link to a directory around it; Spark does not list names that begin so.
        val up = Files.createSymbolicLink(new File(links, "numbers/_up").toPath, links.toPath)
        assert(reasons(query.write.mode("overwrite").parquet(dir.getPath)) == Refused)
        Files.delete(up)
        val above =
          queries(spark.read.option("recursiveFileLookup", "true").parquet(links.getPath)).head
        assert(reasons(above.write.mode("overwrite").parquet(dir.getPath)) == Refused)
        checkAnswer(spark.read.parquet(dir.getPath), kept)
      }
    }
  }

  test("a copy of what a stream wrote, whose log names the files of the first directory") {
    withNumbers { dir =>
      withTempDir { work =>
        val (in, copy) = (new File(work, "in"), new File(work, "copy"))
        write(in)
        spark.readStream
          .schema("id BIGINT")
          .parquet(in.getPath)
          .withColumn("p", lit(1))
          .writeStream
          .partitionBy("p")
          .option("checkpointLocation", new File(work, "checkpoint").getPath)
          .trigger(Trigger.AvailableNow())
          .start(dir.getPath)
          .awaitTermination()
        FileUtils.copyDirectory(dir, copy)
        val query = queries(spark.read.parquet(copy.getPath).select("id")).head
        assert(reasons(query.write.mode("overwrite").parquet(dir.getPath)) == Refused)
        checkAnswer(spark.read.parquet(dir.getPath), kept)
      }
    }
  }
}
