// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.adaptivefilter.codegen

import org.apache.spark.sql.catalyst.expressions.codegen._

import io.sparksieve.keyset.{BatchEvaluator, KeyBlock}

/** Generates Java code that evaluates a membership predicate for a block of rows at a time. */
private[adaptivefilter] object BatchMembershipCodegen {

  /**
   * The body of a method with the parameters `rows`, `count` and `all`; see
   * [[BatchPredicates.select]].
   *
   * @param columns
   *   code that declares the columns of `row`, or continues if a NULL check drops the row
   */
  def body(ctx: CodegenContext, question: BatchMembershipTest, columns: String): String =
    question match {
      case set: SetQuestion => ofSet(ctx, set, columns)
      case tree: TreeQuestion => ofTree(ctx, tree, columns)
    }

  private def ofSet(ctx: CodegenContext, question: SetQuestion, columns: String): String = {
    // All predicates share one block, because a thread evaluates one predicate at a time.
    ctx.addImmutableStateIfNotExists(BlockClass, "keyBlock", v => s"$v = new $BlockClass();")
    val key = question.leaf.blockKey.genCode(ctx)
    val encoded = question.leaf.encodeCode(key.value.toString)
    val passesNull = question.whenNull && key.isNull != FalseLiteral
    // A row that is not counted is overwritten by the next row.
    val (gathered, counted) =
      if (key.isNull == FalseLiteral) (s"keys[pending] = $encoded;", "1")
      else
        (
          s"keys[pending] = ${key.isNull} ? 0L : $encoded;",
          if (passesNull) "1" else s"${key.isNull} ? 0 : 1")
    val opposite = if (question.whenFound) 0 else 1
    s"""
       |final $BlockClass block = keyBlock;
       |final long[] keys = block.keys();
       |final byte[] nulls = block.nulls();
       |final byte[] found = block.found();
       |${loop(
        columns,
        s"""${key.code}
           |$gathered
           |${if (passesNull) s"nulls[pending] = (byte) (${key.isNull} ? 1 : 0);" else ""}""",
        counted,
        s"${question.leaf.setCode(ctx)}.find(block, pending);",
        s"found[i] ^ $opposite${if (passesNull) " | nulls[i]" else ""}"
      )}
     """.stripMargin
  }

  private def ofTree(ctx: CodegenContext, question: TreeQuestion, columns: String): String = {
    val tree = question.tree
    val evaluator = tree.evaluatorCode(ctx)
    val keys = tree.blockKeys.zipWithIndex.map { case (key, k) => (k, key.genCode(ctx)) }
    val arrays = keys.map { case (k, _) =>
      s"""final long[] keys$k = evaluator.block($k).keys();
         |final byte[] nulls$k = evaluator.block($k).nulls();""".stripMargin
    }
    val gathered = keys.map { case (k, key) =>
      s"""${key.code}
         |keys$k[pending] = ${key.isNull} ? 0L : ${tree.encodeCode(k, key.value.toString)};
         |nulls$k[pending] = (byte) (${key.isNull} ? 1 : 0);""".stripMargin
    }
    s"""
       |final ${classOf[BatchEvaluator].getName} evaluator = $evaluator;
       |${arrays.mkString("\n")}
       |${loop(
        columns,
        gathered.mkString("\n"),
        counted = "1",
        lookUp = "final byte[] answers = evaluator.evaluate(pending);",
        passes = s"${question.passes} >>> answers[i] & 1"
      )}
     """.stripMargin
  }

  /**
   * @param gather
   *   code that writes the keys of `row` to position `pending` of the block
   * @param counted
   *   1 if the row's keys are looked up, 0 if the row does not pass in any case
   * @param lookUp
   *   code that looks up the first `pending` rows of the block
   * @param passes
   *   1 if row `i` of the block passes, else 0
   */
  private def loop(
      columns: String,
      gather: String,
      counted: String,
      lookUp: String,
      passes: String): String =
    s"""
       |int kept = 0;
       |for (int from = 0; from < count; from += ${KeyBlock.Size}) {
       |  final int until = java.lang.Math.min(count, from + ${KeyBlock.Size});
       |  int pending = 0;
       |  for (int i = from; i < until; i++) {
       |    final int row = all ? i : rows[i];
       |    do {
       |      $columns
       |      $gather
       |      rows[kept + pending] = row;
       |      pending += $counted;
       |    } while (false);
       |  }
       |  $lookUp
       |  final int first = kept;
       |  for (int i = 0; i < pending; i++) {
       |    rows[kept] = rows[first + i];
       |    kept += $passes;
       |  }
       |}
       |return kept;
     """.stripMargin

  private val BlockClass = classOf[KeyBlock].getName
}
