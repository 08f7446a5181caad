// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bulkfilter

import java.nio.file.{Files, Paths}

import com.fasterxml.jackson.databind.{JsonNode, ObjectMapper}
import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.functions.{col, lower, struct, udf}
import org.apache.spark.sql.sieve.ColumnExpression

import io.sparksieve.bulkfilter.api.{
  BulkFilter,
  BulkFilterJson,
  BulkFilterNode,
  BulkFilterWithPoints,
  Exclude,
  Include,
  KeyText,
  ProjectionBulkFilter,
  ProjectionBulkFilterWithPoints
}

/** Filter objects without queries: points, order, text, JSON, and invalid arguments. */
class BulkFilterSuite extends AnyFunSuite {

  private type Instance = Either[ProjectionBulkFilter, BulkFilter]

  private def leaf(name: String): ProjectionBulkFilter =
    ProjectionBulkFilter(col(name), s"$name.parquet", "Include").named(name)

  private val (a, b, c) = (leaf("a"), leaf("b"), leaf("c"))
  private val (d, e, f) = (leaf("d"), leaf("e"), leaf("f"))
  private val (w, x, y) = (leaf("w"), leaf("x"), leaf("y"))

  private def and(instances: Instance*) = BulkFilter("AND", instances.toList)

  private def or(instances: Instance*) = BulkFilter("OR", instances.toList)

  private def about(points: Double, expected: Double): Unit =
    assert(math.abs(points - expected) < 1e-12, s"$points is not $expected")

  private def refused(message: String)(body: => Any): Unit =
    assert(intercept[IllegalArgumentException](body).getMessage.contains(message))

  test("the document's points") {
    about(a.points, 0.1)
    about(BulkFilter.reduce(or(b, c)), 2)
    about(BulkFilter.reduce(and(d, e)), 0.01)
    val first = and(a, or(b, c), and(d, e)).withPoints
    assert(
      first.instances.map(_.fold(_.points, _.points)) ==
        List(0.1, 2.0, and(d, e).points))
    about(first.points, 0.002)
    val second = and(a, or(b, c), and(d, e), and(x, or(w, y))).withPoints
    about(second.instances.last.fold(_.points, _.points), 0.2)
    about(second.points, 0.0004)
  }

  test("the document's arrangements") {
    assert(and(or(a, b), c, or(d, f)).sorted.toString == "c and (a or b) and (d or f)")
    assert(or(c, or(a, b), or(d, f)).sorted.toString == "c or (a or b) or (d or f)")
    val (carA, carB, carC, carD) = (leaf("A"), leaf("B"), leaf("C"), leaf("D"))
    assert(or(carD, and(carC, and(carA, carB))).sorted.toString == "((A and B) and C) or D")
    assert(and(or(carB, carC), carA).sorted.toString == "A and (B or C)")
    assert(and(a, or(b, c), and(d, e)).toString == "a and (b or c) and (d and e)")
  }

  test("what sorts the same keeps its order, at every level") {
    val written = or(and(or(c, b), d, a), b, and(y, x), a)
    assert(written.sorted.toString == "(y and x) or (d and a and (c or b)) or b or a")
    assert(written.sorted.sorted == written.sorted)
    assert(written.withPoints.sorted.points == written.points)
  }

  test("the document's constructors: lists of Left and Right") {
    val nested =
      BulkFilter("AND", List(Right(BulkFilter("OR", List(Left(b), Left(c)))), Left(a)))
    assert(nested == and(or(b, c), a))
    val withPoints = BulkFilterWithPoints(
      "OR",
      List(Left(ProjectionBulkFilterWithPoints(a, 3)), Left(ProjectionBulkFilterWithPoints(b, 1))),
      40)
    assert(withPoints.sorted.toString == "b or a")
    val points = a.withPoints
    assert(
      (points.key, points.fileLocation, points.operation, points.points) ==
        ((col("a"), "a.parquet", "Include", 0.1)))
  }

  test("operators join chains on their left") {
    assert((a && b && c) == and(a, b, c))
    assert((a && (b && c)) == and(a, and(b, c)))
    assert((a || b && c || d) == or(a, and(b, c), d))
  }

  test("a filter's complement, and that of the complement") {
    val all = (a || Exclude("b", "b.csv", nulls = "drop")) && !c
    assert((!all).toString == "(not a and b in b.csv (nulls kept)) or c")
    assert(!(!all) == all)
  }

  test("words in any case, and unknown ones") {
    assert(BulkFilter("and", List(a)).operator == "AND")
    assert(ProjectionBulkFilter("a", "f", "EXCLUDE").operation == "Exclude")
    refused("'XOR' is not an operator; allowed are AND, OR")(BulkFilter("XOR", List(a)))
    refused("'null' is not an operator")(BulkFilter(null, List(a)))
    refused("'Semi' is not an operation; allowed are Include, Exclude")(
      ProjectionBulkFilter("a", "f", "Semi"))
    refused("'lose' is not a treatment of nulls; allowed are keep, drop")(
      Include("a", "f", nulls = "lose"))
    refused("instances must not be empty")(BulkFilter("OR", Nil))
    refused("file must not be empty")(Include("a", " "))
    refused("table must not be empty")(
      ProjectionBulkFilter(col("a"), "", "Include", isTable = true))
    refused("name must not be empty")(a.named(""))
    refused("'a b' is not an expression of SQL; a name with a space needs backticks")(
      Include("a b", "f"))
    refused("is not an operator")(and(a).copy(operator = "and"))
  }

  test("keys have a text") {
    val keys = Seq(
      col("a") -> "a",
      col("`a b`") -> "`a b`",
      col("true") -> "`true`",
      lower(col("a")) -> "lower(a)",
      struct("a", "b") -> "struct(a, b)")
    for ((key, text) <- keys) {
      val made = ProjectionBulkFilter(key, "f", "Include")
      assert(made.toString == s"$text in f")
      val read = BulkFilter.fromJson(made.toJson)
      assert(read == and(made))
      assert(read.toJson == and(made).toJson)
    }
    assert(Include("a", "f") == ProjectionBulkFilter(col("a"), "f", "Include"))
    for (key <- Seq(col("a") + 1, col("a").cast("long"), col("a").getField("b"))) {
      val once = BulkFilter.fromJson(ProjectionBulkFilter(key, "f", "Include").toJson)
      assert(BulkFilter.fromJson(once.toJson) == once)
    }
    val own = udf((i: Int) => i + 1)
    refused("has no SQL text, which JSON needs")(
      ProjectionBulkFilter(own(col("a")), "f", "Include").toJson)
  }

  test("options, nulls, tables and names are written only where they say something") {
    val full = ProjectionBulkFilter(
      col("k"),
      "shop.cars.id",
      "Exclude",
      Map("invalid" -> "skip"),
      "drop",
      isTable = true,
      Some("sold"))
    assert(
      full.toJson == """{"version":1,"filter":{"operation":"Exclude","key":"k",""" +
        """"table":"shop.cars.id","options":{"invalid":"skip"},"nulls":"drop","name":"sold"}}""")
    assert(BulkFilter.fromJson(full.toJson) == and(full))
    assert(full.toString == "not sold (nulls dropped)")
    assert(
      Include("k", "f").toJson ==
        """{"version":1,"filter":{"operation":"Include","key":"k","file":"f"}}""")
    val options = """{"header":true,"maxColumns":7,"sep":";"}"""
    val read = BulkFilter.fromJson(
      s"""{"version":1,"filter":{"operation":"Include","key":"k","file":"f","options":$options}}""")
    assert(
      read == and(Include("k", "f", Map("header" -> "true", "maxColumns" -> "7", "sep" -> ";"))))
  }

  test("the predicate's text") {
    // How Spark prints NOT and quotes depends on its version.
    def shown(leaf: ProjectionBulkFilter) =
      KeyText.of(leaf.toColumn).get.toLowerCase.replace("'", "").replace("`!`(", "(not ")
    assert(shown(Include("k", "f")) == "in_file(k, f)")
    assert(shown(Include("k", "f", nulls = "keep")) == "coalesce(in_file(k, f), true)")
    assert(shown(Exclude("k", "f")) == "(not coalesce(in_file(k, f), false))")
    assert(shown(Exclude("k", "f", nulls = "drop")) == "(not in_file(k, f))")
    val table = ProjectionBulkFilter(col("k"), "t.c", "Include", Map("x" -> "y"), isTable = true)
    assert(shown(table) == "in_table(k, t.c, map(x, y))")
  }

  test("a wide level becomes no deep expression") {
    val wide = or((1 to 3000).map(i => Left(Include("k", s"f$i"))): _*)
    def depth(e: Expression): Int = (0 +: e.children.map(depth)).max + 1
    assert(depth(ColumnExpression(wide.toColumn)) < 20)
    assert(BulkFilter.fromJson(wide.toJson).instances.length == 3000)
  }

  private def golden(name: String): Seq[JsonNode] = {
    val file = Paths.get("tests", "golden", "bulkfilter", name)
    val cases = new ObjectMapper().readTree(Files.readAllBytes(file))
    assert(cases.size > 10)
    Seq.tabulate(cases.size)(cases.get(_))
  }

  for (one <- golden("filters.json")) {
    test(s"golden: ${one.get("about").asText}") {
      val json = one.get("json").asText
      val filter = BulkFilterJson.read(json)
      assert(BulkFilterJson.write(filter) == json)
      val node = filter.fold(identity[BulkFilterNode], identity[BulkFilterNode])
      assert(node.toString == one.get("text").asText)
      assert(filter.fold(_.toString, _.sorted.toString) == one.get("sorted").asText)
      assert(node.points == one.get("points").asDouble)
      assert(filter.fold(l => (!l).toString, t => (!t).toString) == one.get("complement").asText)
    }
  }

  test("golden: errors") {
    for (one <- golden("errors.json")) {
      val json = one.get("json").asText
      val error = intercept[IllegalArgumentException](BulkFilter.fromJson(json))
      assert(error.getMessage == one.get("error").asText, json)
    }
  }

  test("what is no JSON, and keys that are no SQL") {
    refused("This is not JSON: ")(BulkFilter.fromJson("{"))
    refused("This is not JSON: ")(BulkFilter.fromJson("{} {}"))
    refused("This is not JSON: ")(BulkFilter.fromJson("""{"version":1,"version":1}"""))
    refused("Filter in JSON, at the document: an object is expected")(BulkFilter.fromJson(""))
    refused("at filter.key: 'a b' is not an expression of SQL")(
      BulkFilter.fromJson(
        """{"version":1,"filter":{"operation":"Include","key":"a b","file":"f"}}"""))
  }
}
