package io.sparksieve.dynamicfilter

/** Dynamic filters in recursive WITH: Spark analyzes and plans each step of a definition anew. */
class RecursionSuite extends DynamicFilterTest {

  for {
    hint <- Seq(
      "",
      "/*+ BROADCAST(r) */",
      "/*+ MERGE(r) */",
      "/*+ BROADCAST(s) */",
      "/*+ MERGE(s) */")
    (joins, where) <- Seq(
      "big b JOIN r ON b.k = r.node" -> "TRUE",
      "big b JOIN r ON b.k = r.node JOIN small s ON b.id = s.id" -> "s.dept < 5")
    if !hint.contains("(s)") || joins.contains(" s ")
  } test(s"$joins $hint") {
    def query = sql(s"""WITH RECURSIVE r(node, depth) AS (
      SELECT 1, 0 UNION ALL
      SELECT $hint CAST(b.id AS INT) + 1, r.depth + 1 FROM $joins WHERE r.depth < 2 AND $where)
      SELECT * FROM r""")
    checkAnswer(query, off(query))
    shuffled(checkAnswer(query, off(query)))
  }
}
