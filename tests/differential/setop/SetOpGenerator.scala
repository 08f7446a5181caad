// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.differential.setop

import org.apache.spark.sql.internal.SQLConf

import io.sparksieve.differential.{Dice, Generator, Query, Settings}
import io.sparksieve.differential.expression.Predicates
import io.sparksieve.differential.table.Tables
import io.sparksieve.report.core.Features
import io.sparksieve.setop.rewrite.RewriteSetOperations

/** Set operations, anti- and semi-joins, EXISTS and IN between filtered copies of one source. */
object SetOpGenerator extends Generator {

  override val feature: String = Features.SetOp

  override def rules: Seq[String] = RewriteSetOperations.Rewrites.map(_.name)

  override def query(dice: Dice, tables: Tables): Query = {
    val node =
      new RandomNodes(dice, tables, new Predicates(dice, fallible = dice.chance(60))).query()
    val api =
      if (DataFrames.handles(node) && dice.chance(35))
        SetOpQuery.DataFrames(dice.chance(50), SessionVariable.exists && dice.chance(20))
      else SetOpQuery.Sql
    SetOpQuery(node, api, Settings.random(dice) ++ own(dice))
  }

  private def own(dice: Dice): Map[String, String] =
    if (dice.chance(8)) Map(SQLConf.REPLACE_EXCEPT_WITH_FILTER.key -> "false") else Map.empty
}
