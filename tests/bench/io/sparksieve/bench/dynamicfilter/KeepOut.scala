// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bench.dynamicfilter

import io.sparksieve.bench.{Case, CaseGroup, DataSet, QueryCase, Table}
import io.sparksieve.bench.dynamicfilter.Setup._

/**
 * Queries for which a filter does not pay: with Sieve on, none may take longer. Each has its own
 * control.
 */
object KeepOut extends CaseGroup {

  override def position: Int = 3

  override def cases(rows: Long): Seq[Case] = {
    val data = new Data(rows)
    val tables = Seq(data.t1(), data.t2())
    def unselective(name: String, about: String, tags: String) = QueryCase(
      name,
      about,
      Seq(data.t1(), everyKey(data)),
      "SELECT count(t1.name) AS names FROM t1 JOIN every_key k ON t1.id = k.id " +
        s"WHERE k.tag $tags",
      Rule,
      expectApplied = None
    )
    val fewLeft = QueryCase(
      "keep-out/few-left",
      "one row of t1 in 50,000 is left by a broadcast; a shuffle's keys would drop a seventh of them",
      Seq(data.t1(), data.t2(), fifth(data)),
      "SELECT /*+ BROADCAST(t2) */ t1.name FROM t1 JOIN t2 ON t1.id = t2.id " +
        "JOIN fifth f ON t1.id = f.id WHERE t2.team = 't17' AND f.tag <> 3",
      Rule,
      OpenGate ++ SortMerge,
      expectApplied = None
    )
    val hows = for {
      (how, conf) <- Seq("sort-merge" -> SortMerge, "broadcast" -> Broadcast)
      c <- Seq(
        QueryCase(
          s"keep-out/no-filter/$how",
          "nothing limits t2",
          tables,
          join(""),
          Rule,
          OpenGate ++ conf,
          expectApplied = Some(false)),
        QueryCase(
          s"keep-out/small/$how",
          "a t1 below the default gate",
          Seq(new Data(rows.min(100000)).t1("t1_small"), data.t2()),
          join("WHERE t2.department = 'd17'", "t1_small"),
          Rule,
          conf,
          expectApplied = Some(false)
        ),
        unselective(s"keep-out/most-match/$how", "six of seven rows of t1 have their key", "<> 3")
          .copy(conf = OpenGate ++ conf),
        unselective(s"keep-out/all-match/$how", "every row of t1 has its key", ">= 0")
          .copy(conf = OpenGate ++ conf)
      )
    } yield c
    (fewLeft +: hows).map(_.copy(target = Some(0.98), noise = true))
  }

  private def join(where: String, t1: String = "t1") =
    s"SELECT t1.id, t1.name, t2.team FROM $t1 t1 JOIN t2 ON t1.id = t2.id $where"

  private def fifth(data: Data) = Table(
    "fifth",
    DataSet(
      "fifth",
      data.rows / 5,
      "SELECT id * 5 AS id, cast(id % 7 AS INT) AS tag FROM ids",
      files = 4))

  private def everyKey(data: Data) = Table(
    "every_key",
    DataSet("every-key", data.rows, "SELECT id, cast(id % 7 AS INT) AS tag FROM ids", files = 4))
}
