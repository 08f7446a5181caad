// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.adaptivefilter.codegen

import org.apache.spark.sql.catalyst.expressions.Attribute
import org.apache.spark.sql.catalyst.expressions.codegen._
import org.apache.spark.sql.vectorized.{ColumnVector, ColumnarBatch}

import io.sparksieve.adaptivefilter.predicate.Conjunct
import io.sparksieve.adaptivefilter.run.BatchPredicates

/**
 * Generates Java code that evaluates predicates over batches. Each predicate has its own method
 * with a loop over the rows: small enough for the just-in-time compiler, and with no call per row.
 */
private[adaptivefilter] object GenerateBatchPredicates {

  /** Whether code can be generated: not for expressions that need a row (CodegenFallback). */
  def supports(conjuncts: Seq[Conjunct]): Boolean =
    !conjuncts.exists(_.predicate.exists(_.isInstanceOf[CodegenFallback]))

  /**
   * @param vectorTypes
   *   the class of each column's vectors, if they are known
   * @throws Exception
   *   if the code does not compile
   */
  def apply(
      conjuncts: Seq[Conjunct],
      input: Seq[Attribute],
      vectorTypes: Option[Seq[String]],
      hugeMethodLimit: Int): Option[BatchPredicates] = {
    val ctx = new CodegenContext
    val classes = vectorTypes.getOrElse(Seq.fill(input.size)(classOf[ColumnVector].getName))
    val used = input.indices.filter(i => conjuncts.exists(_.references.contains(input(i))))
    val methods = conjuncts.zipWithIndex.map { case (c, k) => method(ctx, c, k, input, classes) }
    val batchClass = classOf[ColumnarBatch].getName
    val body = s"""
      public java.lang.Object generate(Object[] references) {
        return new SpecificBatchPredicates(references);
      }

      class SpecificBatchPredicates extends ${classOf[BatchPredicates].getName} {
        private final Object[] references;
        ${used.map(i => s"private ${classes(i)} column$i;").mkString("\n")}
        ${ctx.declareMutableStates()}

        public SpecificBatchPredicates(Object[] references) {
          this.references = references;
          ${ctx.initMutableStates()}
        }

        public void initialize(int partitionIndex) {
          ${ctx.initPartition()}
        }

        public void open($batchClass batch) {
          ${used.map(i => s"column$i = (${classes(i)}) batch.column($i);").mkString("\n")}
        }

        public int select(int k, int[] rows, int count, boolean all) {
          switch (k) {
            ${conjuncts.indices.map(k => s"case $k: return p$k(rows, count, all);").mkString("\n")}
            default: throw new IllegalArgumentException("There is no predicate " + k + ".");
          }
        }

        ${methods.mkString("\n")}

        ${ctx.declareAddedFunctions()}
      }"""
    val code = CodeFormatter.stripOverlappingComments(
      new CodeAndComment(body, ctx.getPlaceHolderToComments()))
    val (made, stats) = CodeGenerator.compile(code)
    // The just-in-time compiler never compiles methods larger than that.
    if (stats.maxMethodCodeSize > hugeMethodLimit) None
    else Some(made.generate(ctx.references.toArray).asInstanceOf[BatchPredicates])
  }

  private def method(
      ctx: CodegenContext,
      conjunct: Conjunct,
      k: Int,
      input: Seq[Attribute],
      classes: Seq[String]): String = {
    val used = input.indices.filter(i => conjunct.references.contains(input(i)))
    val columns = used.map { i =>
      val nullable = input(i).nullable && !conjunct.notNull.contains(input(i))
      i -> VectorCode(ctx, s"vector$i", "row", input(i).dataType, nullable)
    }.toMap
    ctx.INPUT_ROW = null
    ctx.currentVars =
      input.indices.map(i => columns.get(i).map(c => c.copy(code = EmptyBlock)).orNull)
    val locals = used.map(i => s"final ${classes(i)} vector$i = column$i;")
    val checks = used
      .filter(i => conjunct.notNull.contains(input(i)))
      .map(i => s"if (vector$i.isNullAt(row)) continue;")
    val row = (checks ++ used.map(columns(_).code.toString)).mkString("\n")
    val predicate = conjunct.bound(input)
    val body = BatchMembershipTest.of(predicate) match {
      case Some(question) => BatchMembershipCodegen.body(ctx, question, row)
      case None => rowByRow(predicate.genCode(ctx), row)
    }
    s"""
       |private int p$k(int[] rows, int count, boolean all) {
       |  ${locals.mkString("\n")}
       |  $body
       |}
     """.stripMargin
  }

  /**
   * @param columns
   *   code that declares the columns of `row`, or continues if a NULL check drops the row
   */
  private def rowByRow(value: ExprCode, columns: String): String =
    s"""
       |int kept = 0;
       |for (int i = 0; i < count; i++) {
       |  final int row = all ? i : rows[i];
       |  boolean passes = false;
       |  do {
       |    $columns
       |    ${value.code}
       |    passes = !${value.isNull} && ${value.value};
       |  } while (false);
       |  rows[kept] = row;
       |  if (passes) kept++;
       |}
       |return kept;
     """.stripMargin
}
