// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.adaptivefilter.codegen

import org.apache.spark.sql.catalyst.expressions.Attribute
import org.apache.spark.sql.catalyst.expressions.codegen._
import org.apache.spark.sql.types.DataType

import io.sparksieve.adaptivefilter.predicate.Conjunct
import io.sparksieve.adaptivefilter.run.{FilterHandle, RowRun}

/**
 * Adds a filter of single rows to a stage's generated code: a method for each predicate, a method
 * that evaluates predicate `k`, a method that evaluates all predicates in the current order, and a
 * method that samples a row. In the written order, the predicates are evaluated as in Spark's own
 * filter, at no higher cost.
 *
 * @param arguments
 *   how the methods access the columns
 */
private[adaptivefilter] final class GenerateRowFilter(
    ctx: CodegenContext,
    conjuncts: Seq[Conjunct],
    input: Seq[Attribute],
    handle: FilterHandle,
    arguments: RowArguments) {

  private val used = input.indices.filter(i => conjuncts.exists(_.references.contains(input(i))))

  /**
   * A Java call that returns whether a row is kept. With [[EvaluatedColumns]], the columns must
   * have been evaluated before.
   */
  def keeps(values: Seq[ExprCode]): String = {
    val runClass = classOf[RowRun].getName
    val handles = ctx.addReferenceObj("filterHandle", handle, classOf[FilterHandle].getName)
    val run =
      ctx.addMutableState(runClass, "rowRun", v => s"$v = $handles.startRows();", true)
    val order = ctx.addMutableState("int[]", "order", v => s"$v = $run.order();", true)
    val asWritten =
      ctx.addMutableState(
        CodeGenerator.JAVA_BOOLEAN,
        "asWritten",
        v => s"$v = $run.asWritten();",
        true)
    val untilSample = ctx.addMutableState(CodeGenerator.JAVA_INT, "untilSample")
    val calls = conjuncts.zipWithIndex.map { case (c, k) => predicate(c, k) }
    val cases = calls.zipWithIndex.map { case (call, k) => s"case $k: return $call;" }
    val evaluate = method(
      "evaluate",
      declared(used, "int k"),
      s"""
         |switch (k) {
         |  ${cases.mkString("\n")}
         |  default: throw new IllegalArgumentException("There is no predicate " + k + ".");
         |}
       """.stripMargin
    )
    val passes = method(
      "passes",
      declared(used),
      s"""
         |int[] places = $order;
         |for (int i = 0; i < places.length; i++) {
         |  if (!$evaluate(${handed(used, "places[i]")})) return false;
         |}
         |return true;
       """.stripMargin
    )
    val sampled = method(
      "sampled",
      declared(used),
      s"""
         |$run.begin();
         |for (int k = 0; k < ${conjuncts.size}; k++) {
         |  if ($run.evaluates(k)) {
         |    long start = System.nanoTime();
         |    boolean answer = $evaluate(${handed(used, "k")});
         |    $run.answered(k, answer, System.nanoTime() - start);
         |  }
         |}
         |$untilSample = $run.end();
         |return $run.passed();
       """.stripMargin
    )
    val keeps = method(
      "keeps",
      declared(used),
      s"""
         |if (--$untilSample < 0) {
         |  $untilSample = $run.lapse();
         |  $order = $run.order();
         |  $asWritten = $run.asWritten();
         |  if ($untilSample == 0) return $sampled(${handed(used)});
         |}
         |if ($asWritten) return ${calls.mkString(" && ")};
         |return $passes(${handed(used)});
       """.stripMargin
    )
    s"$keeps(${arguments.outer(used, values).mkString(", ")})"
  }

  private def declared(columns: Seq[Int], first: String*) =
    (first ++ arguments.declared(columns)).mkString(", ")

  private def handed(columns: Seq[Int], first: String*) =
    (first ++ arguments.handed(columns)).mkString(", ")

  /** Adds a method; returns the name by which it is called. */
  private def method(name: String, parameters: String, body: String): String = {
    val fresh = ctx.freshName(name)
    ctx.addNewFunction(
      fresh,
      s"""
         |private boolean $fresh($parameters) throws java.io.IOException {
         |  $body
         |}
       """.stripMargin
    )
  }

  /** Adds a predicate's method, with the predicate's own columns only; returns a call of it. */
  private def predicate(conjunct: Conjunct, k: Int): String = {
    val mine = used.filter(i => conjunct.references.contains(input(i)))
    val (outerRow, outer) = (ctx.INPUT_ROW, ctx.currentVars)
    val columns = input.indices.map { i =>
      if (!mine.contains(i)) null
      else {
        val notNull = !input(i).nullable || conjunct.notNull.contains(input(i))
        val isNull = if (notNull) FalseLiteral else JavaCode.isNullVariable(s"isNull$i")
        ExprCode(EmptyBlock, isNull, JavaCode.variable(s"value$i", input(i).dataType))
      }
    }
    ctx.INPUT_ROW = arguments.inputRow.orNull
    ctx.currentVars = if (arguments.inputRow.isEmpty) columns else null
    val answer =
      if (conjunct.exclusions.isEmpty) {
        val value = conjunct.bound(input).genCode(ctx)
        s"""
           |${value.code}
           |return !${value.isNull} && ${value.value};
         """.stripMargin
      } else {
        val parts =
          new GenerateRowFilter(ctx, conjunct.exclusions, input, handle.parts(k), arguments.inner)
        s"return !${parts.keeps(columns)};"
      }
    ctx.INPUT_ROW = outerRow
    ctx.currentVars = outer
    val checks = mine
      .filter(i => conjunct.notNull.contains(input(i)))
      .map(i => s"if (${arguments.isNull(i)}) return false;")
    val call = method(
      s"predicate$k",
      declared(mine),
      s"""
         |${checks.mkString("\n")}
         |$answer
       """.stripMargin
    )
    s"$call(${handed(mine)})"
  }
}

private[adaptivefilter] object GenerateRowFilter {

  /** Whether the columns of the predicates fit into the arguments of a method. */
  def fits(conjuncts: Seq[Conjunct], input: Seq[Attribute]): Boolean = {
    val used = input.filter(a => conjuncts.exists(_.references.contains(a)))
    used.map(a => slots(a.dataType) + 1).sum <= MostSlots
  }

  private def slots(dataType: DataType) = CodeGenerator.javaType(dataType) match {
    case CodeGenerator.JAVA_LONG | CodeGenerator.JAVA_DOUBLE => 2
    case _ => 1
  }

  // The JVM allows 255 slots; a method needs some for its other arguments.
  private val MostSlots = 240
}
