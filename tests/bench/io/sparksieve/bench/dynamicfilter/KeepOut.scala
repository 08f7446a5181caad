package io.sparksieve.bench.dynamicfilter

import io.sparksieve.bench._
import io.sparksieve.bench.dynamicfilter.Setup._

/** Where a filter does not pay: with Sieve on nothing may take longer. Each has its own control. */
object KeepOut extends CaseGroup {

  override def position: Int = 3

  override def cases(rows: Long): Seq[Case] = {
    val data = new Data(rows)
    val tables = Seq(data.t1(), data.t2("t2_dense", "n DIV 50"))
    for {
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
          Seq(new Data(rows.min(100000)).t1("t1_small"), data.t2("t2_dense", "n DIV 50")),
          join("WHERE t2.department = 'd17'", "t1_small"),
          Rule,
          conf,
          expectApplied = Some(false)
        ),
        QueryCase(
          s"keep-out/unselective/$how",
          "a filter on t2 that drops one department",
          tables,
          join("WHERE t2.department <> 'd17'"),
          Rule,
          OpenGate ++ conf,
          expectApplied = None
        ),
        QueryCase(
          s"keep-out/all-match/$how",
          "every row of t1 has its key",
          Seq(data.t1(), everyKey(data)),
          "SELECT count(t1.name) AS names FROM t1 JOIN every_key k ON t1.id = k.id " +
            "WHERE k.tag >= 0",
          Rule,
          OpenGate ++ conf,
          expectApplied = None
        )
      )
    } yield c.copy(target = Some(0.98), noise = true)
  }

  private def join(where: String, t1: String = "t1") =
    s"SELECT t1.id, t1.name, t2.team FROM $t1 t1 JOIN t2_dense t2 ON t1.id = t2.id $where"

  private def everyKey(data: Data) = Table(
    "every_key",
    DataSet("every-key", data.rows, "SELECT id, cast(id % 7 AS INT) AS tag FROM ids", files = 4))
}
