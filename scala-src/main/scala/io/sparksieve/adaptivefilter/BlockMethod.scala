package io.sparksieve.adaptivefilter

import org.apache.spark.sql.catalyst.expressions.codegen._

import io.sparksieve.keyset.KeyBlock

/** Java code that asks a predicate of a block of rows at a time, where that is one question for a set. */
private[adaptivefilter] object BlockMethod {

  /**
   * The body of a method of `rows`, `count` and `all`; see [[BatchPredicates.select]].
   *
   * @param columns
   *   declares the columns of `row`, or continues with the next if a NULL check drops it
   */
  def body(ctx: CodegenContext, question: BlockQuestion, columns: String): String = {
    val blockClass = classOf[KeyBlock].getName
    // One for all predicates, of which a thread asks one at a time.
    ctx.addImmutableStateIfNotExists(blockClass, "keyBlock", v => s"$v = new $blockClass();")
    val key = question.leaf.blockKey.genCode(ctx)
    val encoded = question.leaf.encodeCode(key.value.toString)
    val passesNull = question.whenNull && key.isNull != FalseLiteral
    // What is not counted is overwritten by the next row.
    val (gathered, counted) =
      if (key.isNull == FalseLiteral) (s"keys[asked] = $encoded;", "1")
      else
        (
          s"keys[asked] = ${key.isNull} ? 0L : $encoded;",
          if (passesNull) "1" else s"${key.isNull} ? 0 : 1")
    val opposite = if (question.whenFound) 0 else 1
    s"""
       |final $blockClass block = keyBlock;
       |final long[] keys = block.keys();
       |final byte[] nulls = block.nulls();
       |final byte[] found = block.found();
       |int kept = 0;
       |for (int from = 0; from < count; from += ${KeyBlock.Size}) {
       |  final int until = java.lang.Math.min(count, from + ${KeyBlock.Size});
       |  int asked = 0;
       |  for (int i = from; i < until; i++) {
       |    final int row = all ? i : rows[i];
       |    do {
       |      $columns
       |      ${key.code}
       |      $gathered
       |      ${if (passesNull) s"nulls[asked] = (byte) (${key.isNull} ? 1 : 0);" else ""}
       |      rows[kept + asked] = row;
       |      asked += $counted;
       |    } while (false);
       |  }
       |  ${question.leaf.setCode(ctx)}.find(block, asked);
       |  final int first = kept;
       |  for (int i = 0; i < asked; i++) {
       |    rows[kept] = rows[first + i];
       |    kept += found[i] ^ $opposite${if (passesNull) " | nulls[i]" else ""};
       |  }
       |}
       |return kept;
     """.stripMargin
  }
}
