// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bulkfilter

import java.io.{ByteArrayOutputStream, File}
import java.net.URI
import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.Files
import java.util.zip.GZIPOutputStream

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.RawLocalFileSystem
import org.apache.hadoop.security.AccessControlException

import org.apache.spark.sql.AnalysisException

/** Files of values as other programs leave them, and as someone with bad intentions might. */
class OddFilesSuite extends BulkFilterTest {

  private def bytes(name: String, content: Array[Byte]): String = {
    val path = new File(dir, name).toPath
    Files.write(path, content)
    path.toString
  }

  private def packed(content: String): Array[Byte] = {
    val out = new ByteArrayOutputStream
    val zip = new GZIPOutputStream(out)
    zip.write(content.getBytes(UTF_8))
    zip.close()
    out.toByteArray
  }

  private def ids(path: String, options: String = ""): Set[Long] =
    sql(s"SELECT id FROM cars WHERE in_file(id, '$path'$options)").collect().map(_.getLong(0)).toSet

  private def refused(path: String, options: String = "")(said: String*): Unit = {
    val e = intercept[AnalysisException](ids(path, options))
    said.foreach(s => assert(e.getMessage.contains(s), e.getMessage))
  }

  private val Mark = "\uFEFF"

  test("byte-order marks, ends of lines, quotes, zero bytes") {
    val contents = Seq(
      s"${Mark}5\n7\n",
      "5\r\n7\r\n",
      "5\n7",
      "\n5\n\n7\n\n",
      "\"5\"\n7\n",
      "5\u0000\n7\n",
      " 5\n7 \n")
    for ((content, i) <- contents.zipWithIndex)
      assert(ids(file(s"odd$i.csv", content)) == Set(5L, 7L), content)
    assert(ids(file("marked.txt", s"${Mark}5\n7")) == Set(5L, 7L))
    val header = ", map('header', 'true', 'column', 'k')"
    assert(ids(file("header.csv", s"${Mark}k\r\n5\r\n7\r\n"), header) == Set(5L, 7L))
  }

  test("compressed files, also such as are cut off or not compressed at all") {
    assert(ids(bytes("packed.csv.gz", packed("5\n7\n"))) == Set(5L, 7L))
    // Ten megabytes in ten kilobytes.
    assert(ids(bytes("bomb.csv.gz", packed("5\n7\n" * 2500000))) == Set(5L, 7L))
    refused(bytes("cut.csv.gz", packed("5\n7\n" * 1000).take(20)))("cut.csv.gz cannot be read")
    refused(bytes("plain.csv.gz", "5\n7\n".getBytes(UTF_8)))("plain.csv.gz cannot be read")
  }

  test("files without a value") {
    val none = bytes("none.csv", Array.emptyByteArray)
    refused(none)("none.csv is empty", "'header'", "'text'")
    assert(ids(none, ", map('format', 'text')").isEmpty)
    assert(ids(file("names.csv", "k"), ", map('header', 'true')").isEmpty)
    refused(bytes("none.parquet", Array.emptyByteArray))("none.parquet cannot be read")
    refused(bytes("none.orc", "ORC".getBytes(UTF_8)))("none.orc cannot be read")
  }

  test("a footer that claims more than the file has") {
    val claims = "PAR1" + "x" * 50
    refused(
      bytes(
        "long.parquet",
        claims.getBytes(UTF_8) ++ Array[Byte](-1, -1, -1, 127) ++
          "PAR1".getBytes(UTF_8)))("long.parquet cannot be read")
  }

  test("links: to a file, to nothing, to themselves") {
    val target = new File(file("target.csv", "5", "7")).toPath
    def link(name: String, to: java.nio.file.Path) =
      Files.createSymbolicLink(new File(dir, name).toPath, to).toString
    assert(ids(link("link.csv", target)) == Set(5L, 7L))
    refused(link("nowhere.csv", new File(dir, "absent").toPath))("nowhere.csv does not exist")
    refused(link("loop.csv", new File(dir, "loop.csv").toPath))("loop.csv does not exist")
  }

  test("names with spaces and signs, several files by a pattern, folders in a folder") {
    assert(ids(file("a b#c%20d.csv", "5")) == Set(5L))
    new File(dir, "several/below").mkdirs()
    file("several/one.csv", "5")
    file("several/two.csv", "7")
    file("several/below/three.csv", "9")
    assert(ids(s"$dir/several/*.csv") == Set(5L, 7L))
    val csv = ", map('format', 'csv'"
    assert(ids(s"$dir/several", s"$csv)") == Set(5L, 7L))
    assert(ids(s"$dir/several", s"$csv, 'recursiveFileLookup', 'true')") == Set(5L, 7L, 9L))
  }

  test("a file is opened with the credentials of the session that runs the query") {
    val path = s"locked:${file("locked.csv", "5", "7")}"
    val conf = Seq(
      "fs.locked.impl" -> classOf[LockedFileSystem].getName,
      "fs.locked.impl.disable.cache" -> "true")
    def session(password: String) = {
      val made = spark.newSession()
      (conf :+ ("fs.locked.password" -> password)).foreach { case (k, v) => made.conf.set(k, v) }
      made.read
        .format("csv")
        .schema("id BIGINT")
        .load(file("some.csv", "5", "6"))
        .createTempView("t")
      made.sql(s"SELECT id FROM t WHERE in_file(id, '$path')")
    }
    assert(session("open").collect().map(_.getLong(0)).toSeq == Seq(5L))
    // What another session has read is not shown to one that may not read it.
    val e = intercept[AnalysisException](session("guess"))
    assert(e.getMessage.contains("cannot be read") && e.getMessage.contains("no entry"), e)
  }

  test("places that Spark cannot read") {
    refused("nosuch://host/keys.csv")("cannot be read", "nosuch")
    refused("http://localhost:1/keys.csv")("cannot be read")
  }
}

/** The local files, for who knows the password. */
class LockedFileSystem extends RawLocalFileSystem {

  override def getUri: URI = URI.create("locked:///")

  override def initialize(uri: URI, conf: Configuration): Unit = {
    if (conf.get("fs.locked.password") != "open") throw new AccessControlException("no entry")
    super.initialize(uri, conf)
  }
}
