// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Left => _, Right => _, _}
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.types._

import io.sparksieve.common.{Duplicates, TakenForSame}
import io.sparksieve.report.core.Reason
import io.sparksieve.setop.proof.{Branch, RowDetermined, SetOpContext, Truth}

/** The proofs that the rules share, each by itself. */
class ProofsSuite extends SetOpTest {

  private val i = AttributeReference("i", IntegerType)()
  private val j = AttributeReference("j", IntegerType)()
  private val n = AttributeReference("n", IntegerType, nullable = false)()
  private val d = AttributeReference("d", DoubleType)()
  private val s = AttributeReference("s", StringType)()

  private def lit(v: Any): Literal = Literal(v)

  // --- TakenForSame ---------------------------------------------------------------------------

  test("TakenForSame: of deep sums each pair of parts is compared once") {
    def deep(start: Expression) =
      (1 to 60).foldLeft(start)((sum, _) => Subtract(sum, n))
    assert(!TakenForSame(Seq(deep(Add(i, j))), Seq(deep(Add(j, i)))))
    assert(TakenForSame(Seq(deep(Add(Add(i, j), n))), Seq(deep(Add(i, Add(j, n))))))
  }

  // --- Branch ---------------------------------------------------------------------------------

  test("substitute: once and at once, also where the attributes name one another") {
    val swapped = AttributeMap(Seq(i -> j, j -> i))
    assert(Branch.substitute(Add(i, j), swapped) == Add(j, i))
    val itself = AttributeMap(Seq(i -> Add(i, lit(1))))
    assert(Branch.substitute(GreaterThan(i, j), itself) == GreaterThan(Add(i, lit(1)), j))
  }

  // --- RowDetermined --------------------------------------------------------------------------

  test("RowDetermined: by expression id, never by name") {
    val out = AttributeReference("out", IntegerType)()
    val sameName = AttributeReference("i", IntegerType)()
    val filter = GreaterThan(i, lit(3))
    assert(RowDetermined(Seq(filter), Seq(i -> out)) == Right(Vector(GreaterThan(out, lit(3)))))
    assert(RowDetermined(Seq(filter), Seq(sameName -> out)) == Left(Reason.NotRowDetermined))
    assert(RowDetermined(Seq(filter), Seq(j -> i)) == Left(Reason.NotRowDetermined))
    assert(RowDetermined(Nil, Nil) == Right(Vector.empty))
  }

  test("RowDetermined: computed columns stand for their expression, also inside another") {
    val sum = Add(i, lit(1))
    val out = AttributeReference("out", IntegerType)()
    assert(
      RowDetermined(Seq(GreaterThan(sum, lit(3))), Seq(sum -> out)) == Right(
        Vector(GreaterThan(out, lit(3)))))
    assert(
      RowDetermined(
        Seq(GreaterThan(Multiply(Add(i, lit(1)), lit(2)), lit(3))),
        Seq(sum -> out)).isRight)
    assert(
      RowDetermined(Seq(GreaterThan(i, lit(3))), Seq(sum -> out)) == Left(Reason.NotRowDetermined))
    assert(
      RowDetermined(Seq(GreaterThan(sum, j)), Seq(sum -> out)) == Left(Reason.NotRowDetermined))
    assert(RowDetermined(Seq(GreaterThan(sum, j)), Seq(sum -> out, j -> j)).isRight)
  }

  test("RowDetermined: a constant filter needs no column; a literal column replaces nothing else") {
    val out = AttributeReference("out", IntegerType)()
    assert(
      RowDetermined(Seq(EqualTo(lit(1), lit(2))), Nil) == Right(Vector(EqualTo(lit(1), lit(2)))))
    assert(
      RowDetermined(Seq(EqualTo(i, lit(1))), Seq(lit(1) -> out)) == Left(Reason.NotRowDetermined))
    assert(
      RowDetermined(Seq(EqualTo(i, lit(1))), Seq(lit(1) -> out, i -> i)) == Right(
        Vector(EqualTo(i, lit(1)))))
  }

  test("RowDetermined: what tells equal values apart is not a function of the row") {
    assert(
      RowDetermined(Seq(EqualTo(Cast(d, StringType), lit("0"))), Seq(d -> d)) ==
        Left(Reason.TellsEqualValuesApart))
    // Equality merges values of the column, whatever it is computed from.
    val zero = Cast(s, DoubleType)
    assert(
      RowDetermined(Seq(EqualTo(Cast(zero, StringType), lit("0"))), Seq(zero -> zero)) ==
        Left(Reason.TellsEqualValuesApart))
    assert(RowDetermined(Seq(EqualTo(zero, lit(0.0))), Seq(zero -> zero)).isRight)
    // The column is the string: equal strings are the same string.
    val text = Cast(d, StringType)
    assert(
      RowDetermined(Seq(EqualTo(text, lit("0"))), Seq(text -> s)) == Right(
        Vector(EqualTo(s, lit("0")))))
  }

  // --- Truth ----------------------------------------------------------------------------------

  private val three = Seq[Any](true, false, null)

  private def eval(e: Expression, row: Any*): Any =
    BindReferences.bindReference(e, p :: q :: Nil).eval(InternalRow(row: _*))

  private val p = AttributeReference("p", BooleanType)()
  private val q = AttributeReference("q", BooleanType)()

  test("Truth: two-valued, TRUE exactly where the conjunction is") {
    val fallible = EqualTo(Cast(Cast(q, StringType), BooleanType), Literal.TrueLiteral)
    for {
      conjuncts <- Seq(
        Seq(p, q),
        Seq(And(p, q)),
        Seq(Or(p, q)),
        Seq(Not(p), q),
        Seq(p),
        Nil,
        Seq(p, fallible),
        Seq(fallible, p),
        Seq(Or(p, fallible)),
        Seq(And(p, fallible)),
        Seq(EqualTo(p, Literal.TrueLiteral), q)
      )
      a <- three
      b <- three
    } {
      val filter = conjuncts.forall(c => eval(c, a, b) == true)
      withClue(s"$conjuncts for $a, $b: ") {
        assert(eval(Truth.isTrue(conjuncts), a, b) == filter)
        assert(eval(Not(Truth.isTrue(conjuncts)), a, b) == !filter)
        assert((eval(Truth.asWritten(conjuncts), a, b) == true) == filter)
      }
      assert(!Truth.isTrue(conjuncts).nullable)
    }
  }

  test("Truth: what cannot fail stays pushable, and = becomes <=>") {
    assert(
      Truth.asWritten(Seq(EqualTo(i, lit(1)), GreaterThan(j, lit(2)))) ==
        And(EqualTo(i, lit(1)), GreaterThan(j, lit(2))))
    assert(Truth.isTrue(Seq(EqualTo(i, lit(1)))) == EqualNullSafe(i, lit(1)))
    assert(Truth.isTrue(Seq(EqualTo(n, lit(1)))) == EqualTo(n, lit(1)))
    assert(Truth.isTrue(Seq(EqualTo(i, Literal(null, IntegerType)))).isInstanceOf[Coalesce])
  }

  // --- Branch ---------------------------------------------------------------------------------

  private def branch(query: String) = {
    val plan = sql(query).queryExecution.analyzed
    val (views, stop) = Branch.of(plan, new SetOpContext(spark.sessionState.conf))
    (views.last, stop)
  }

  test("Branch: takes filters, projections, aliases, views and DISTINCT off") {
    val (last, stop) = branch(
      "SELECT x + 1 AS y FROM (SELECT DISTINCT a AS x, c FROM t WHERE b = 1) u WHERE c > 0 AND x < 3")
    assert(stop.isEmpty && last.plan.children.isEmpty && last.removesDuplicates)
    assert(last.conditions.map(_.references.map(_.name).mkString) == Vector("b", "c", "a"))
    assert(
      last.outputs.map(_.sql.replaceAll(".*\\.", "").replaceAll("[`()]", "")) == Vector("a + 1"))
    val (plain, _) = branch("SELECT a FROM t")
    assert(!plain.removesDuplicates && plain.conditions.isEmpty)
  }

  test("Branch: conjuncts are in the order in which they are evaluated, constants left out") {
    val (last, _) = branch(
      "SELECT a FROM (SELECT * FROM t WHERE a > 1 AND true AND b > 2) WHERE c > 3 AND s > 's'")
    assert(last.conditions.map(_.references.head.name) == Vector("a", "b", "c", "s"))
  }

  test("Branch: stops, and says why") {
    assert(branch("SELECT a FROM t WHERE rand() > 0.5")._2.contains(Reason.NonDeterministic))
    assert(branch("SELECT rand() AS r FROM t")._2.contains(Reason.NonDeterministic))
    assert(
      branch("SELECT a FROM t WHERE a = (SELECT max(k) FROM z)")._2.contains(
        Reason.SubqueryInBranch))
    val (limited, stop) = branch("SELECT a FROM (SELECT a FROM t LIMIT 3) WHERE a > 1")
    assert(stop.isEmpty && !limited.plan.children.isEmpty)
    assert(branch("SELECT a, count(*) FROM t GROUP BY a")._1.plan.isInstanceOf[Aggregate])
  }

  test("Branch: above a DISTINCT of floats only what respects their equality") {
    assert(branch("SELECT d FROM (SELECT DISTINCT d FROM z) WHERE d > 1")._1.plan.children.isEmpty)
    assert(
      branch("SELECT cast(d AS STRING) FROM (SELECT DISTINCT d FROM z)")._2.contains(
        Reason.TellsEqualValuesApart))
    assert(
      branch("SELECT d FROM (SELECT DISTINCT d FROM z) WHERE cast(d AS STRING) = '0.0'")._2
        .contains(Reason.TellsEqualValuesApart))
  }

  test("Branch: expressions that double at each level are given up before they fill the memory") {
    var query = "SELECT a AS x FROM t"
    for (_ <- 1 to 18) query = s"SELECT x + x AS x FROM ($query)"
    val (last, stop) = branch(query)
    assert(stop.isEmpty && last.plan.children.nonEmpty)
  }

  test("Duplicates: DISTINCT and a dropDuplicates over all columns, not over some") {
    val t = spark.table("t").select("a", "b")
    def isDistinct(df: org.apache.spark.sql.DataFrame) =
      Duplicates.unapply(df.queryExecution.analyzed).nonEmpty
    assert(
      isDistinct(t.distinct()) && isDistinct(t.dropDuplicates()) && isDistinct(
        t.dropDuplicates("b", "a")))
    assert(!isDistinct(t.dropDuplicates("a")) && !isDistinct(t))
  }
}
