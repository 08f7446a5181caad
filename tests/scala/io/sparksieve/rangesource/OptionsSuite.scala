// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.rangesource

import org.apache.spark.sql.{AnalysisException, DataFrame, Row}

/** Options, names and types of tables, and the errors for wrong ones. */
class OptionsSuite extends RangeSourceTest {

  override def beforeAll(): Unit = {
    super.beforeAll()
    spark.conf.set("spark.sql.catalog.rangedb", classOf[RangeDbCatalog].getName)
  }

  private def refused(text: String*)(body: => Any): Unit = {
    val e = intercept[Exception](body)
    val messages = causes(e).map(_.getMessage)
    text.foreach(t => assert(messages.exists(m => m != null && m.contains(t)), s"$t\n$messages"))
  }

  for ((format, load) <- Seq[(String, Seq[(String, Any)] => DataFrame)](
      "rangedb" -> (o => table(o: _*)),
      "rangedb-v1" -> (o => tableV1(o: _*)))) {
    test(s"$format: what is wrong with an option is said when it is loaded") {
      val max = "2147483647"
      refused("'rows'", "'-1'", s"from 0 to $max")(load(Seq("rows" -> -1)))
      refused("'rows'", "'2147483648'", s"from 0 to $max", "INT")(load(Seq("rows" -> 2147483648L)))
      refused("'rows'", "'many'", s"from 0 to $max")(load(Seq("rows" -> "many")))
      refused("'partitions'", "'0'", s"from 1 to $max")(load(Seq("partitions" -> 0)))
      refused("'partitions'", "'1.5'")(load(Seq("partitions" -> 1.5)))
      refused("'pushdown'", "'all'", "push, evaluate, none")(load(Seq("pushdown" -> "all")))
      refused("'nested'", "'yes'", "true or false")(load(Seq("nested" -> "yes")))
      refused("no option 'rowz'", "'5'", "rows, partitions, pushdown, nested")(
        load(Seq("rowz" -> 5)))
      refused("needs the option 'rows'")(spark.read.format(format).load())
      refused("reads no path", "'/tmp/x'")(
        spark.read.format(format).option("rows", 1).load("/tmp/x"))
    }

    test(s"$format: names and values in any case, and defaults") {
      val df = spark.read.format(format).option("ROWS", 3).option("PushDown", "NONE").load()
      checkAnswer(df, records(1 to 3))
      assert(df.rdd.getNumPartitions == 1)
      assert(load(Seq("rows" -> 0)).collect().isEmpty)
      assert(load(Seq("nested" -> "TRUE")).columns.toSeq == Seq("val", "data"))
    }

    test(s"$format: a view in SQL") {
      withTempView("v") {
        sql(s"CREATE TEMPORARY VIEW v USING `$format` OPTIONS (partitions '9', rows '50')")
        checkAnswer(sql("SELECT * FROM v WHERE val > 48"), records(49 to 50))
        refused("'partitions'", "'0'")(
          sql(s"CREATE TEMPORARY VIEW w USING `$format` OPTIONS (partitions '0', rows '50')"))
      }
    }

    test(s"$format: types, and cubes that are larger than a BIGINT") {
      def types(rows: Any) = load(Seq("rows" -> rows)).schema.map(_.dataType.sql)
      assert(types(2097151) == Seq("INT", "BIGINT", "BIGINT"))
      assert(types(2097152) == Seq("INT", "BIGINT", "DECIMAL(28,0)"))
      assert(load(Seq()).schema.forall(!_.nullable))
      def last(rows: Int) = load(Seq("rows" -> rows)).where(s"val = $rows").collect().toSeq
      assert(last(2097151) == Seq(Row(2097151, 4398042316801L, 9223358842721533951L)))
      def cube(k: Int) = new java.math.BigDecimal(BigInt(k).pow(3).bigInteger)
      assert(last(2097152) == Seq(Row(2097152, 4398046511104L, cube(2097152))))
      assert(last(Int.MaxValue) == Seq(Row(Int.MaxValue, 4611686014132420609L, cube(Int.MaxValue))))
    }

    test(s"$format: nested rows are whole") {
      val df = load(Seq("rows" -> 3, "nested" -> true, "partitions" -> 2))
      checkAnswer(df, Seq(Row(1, Row(1L, 1L)), Row(2, Row(4L, 8L)), Row(3, Row(9L, 27L))))
      checkAnswer(df.selectExpr("data.cubed", "val").where("data.squared = 4"), Row(8L, 2))
      checkAnswer(
        df.selectExpr("DATA.CUBED").where("Data.Squared IS NOT NULL AND data IS NOT NULL"),
        Seq(Row(1L), Row(8L), Row(27L)))
      checkAnswer(df.where("data IS NULL"), Nil)
    }

    test(s"$format: the same rows whatever the partitions and the mode") {
      for {
        partitions <- Seq(1, 2, 7, 50, 1000)
        pushdown <- Pushdown.All
        nested <- Seq(true, false)
      } {
        val df =
          load(Seq("partitions" -> partitions, "pushdown" -> pushdown.name, "nested" -> nested))
        checkAnswer(
          df.select("val").where("val IN (3, 40, 41) OR val > 49"),
          Seq(3, 40, 41, 50).map(Row(_)))
        assert(df.rdd.getNumPartitions == math.min(partitions, 50))
      }
    }
  }

  test("a catalog's tables are as long as their names say") {
    checkAnswer(sql("SELECT * FROM rangedb.t50 WHERE val > 48"), records(49 to 50))
    checkAnswer(sql("SELECT count(*) FROM rangedb.T100000000"), Row(100000000L))
    checkAnswer(spark.table("rangedb.t3"), records(1 to 3))
    assert(sql("SELECT * FROM rangedb.t0").collect().isEmpty)
    assert(sql("SHOW TABLES IN rangedb").collect().isEmpty)
    assert(sql("DESCRIBE TABLE rangedb.t5").collect().length >= 3)
    for (name <- Seq("rangedb.u5", "rangedb.t", "rangedb.tt5", "rangedb.ns.t5"))
      intercept[AnalysisException](sql(s"SELECT * FROM $name").collect())
    refused("'rows'", "'99999999999'", "2147483647")(sql("SELECT * FROM rangedb.t99999999999"))
    for ((statement, what) <- Seq(
        "CREATE TABLE rangedb.t7 (val INT) USING foo" -> "",
        "DROP TABLE rangedb.t7" -> "dropped",
        "ALTER TABLE rangedb.t7 ADD COLUMN x INT" -> "altered",
        "ALTER TABLE rangedb.t7 RENAME TO t8" -> "renamed"
      ))
      refused(what)(sql(statement))
    refused("")(sql("INSERT INTO rangedb.t7 SELECT 1, 1L, 1L"))
  }

  test("a catalog's options, and those of one read") {
    withConf(
      "spark.sql.catalog.nestedr" -> classOf[RangeDbCatalog].getName,
      "spark.sql.catalog.nestedr.nested" -> "true",
      "spark.sql.catalog.nestedr.partitions" -> "5",
      "spark.sql.catalog.wrong" -> classOf[RangeDbCatalog].getName,
      "spark.sql.catalog.wrong.rows" -> "5",
      "spark.sql.catalog.worse" -> classOf[RangeDbCatalog].getName,
      "spark.sql.catalog.worse.partitions" -> "0"
    ) {
      val ran = run(sql("SELECT data.squared FROM nestedr.t50 WHERE data.cubed = 64"))
      assert(ran.rows == Seq(Row(16L)))
      assert(ran.source.options == RangeDbOptions(50, 5, Pushdown.Push, nested = true))
      val read = run(
        spark.read
          .option("pushdown", "none")
          .option("partitions", 2)
          .table("rangedb.t50")
          .where("val > 49"))
      assert(read.rows == records(Seq(50)) && read.counters == Counters(2, 50, 0, 50))
      refused("cannot be read with other rows")(
        spark.read.option("rows", "5").table("rangedb.t50").collect())
      refused("cannot be read with other rows")(
        spark.read.option("nested", "true").table("rangedb.t50").collect())
      refused("takes no option 'rows'", "wrong.t50")(sql("SELECT * FROM wrong.t50"))
      refused("'partitions'", "'0'")(sql("SELECT * FROM worse.t50"))
    }
  }

  test("a schema of one's own, a stream and a write are refused") {
    intercept[Exception](spark.read.format("rangedb").schema("x INT").option("rows", 5).load())
    intercept[Exception](spark.readStream.format("rangedb").option("rows", 5).load())
    intercept[Exception](
      spark.range(3).write.format("rangedb").option("rows", 5).mode("append").save())
  }
}
