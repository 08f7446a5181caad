// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.differential

import org.apache.spark.sql.{DataFrame, SparkSession}

import io.sparksieve.differential.table.{RandomTables, Tables}

/** Makes the random tables and queries that test one feature. */
trait Generator {

  /** The feature's name on the command line. */
  def feature: String

  /** The rules, each of which must have changed some plan in a run of at least 300 queries. */
  def rules: Seq[String]

  /** Tables for the next queries; those that are read by path are written into `folder`. */
  def tables(dice: Dice, folder: String): Tables = new RandomTables(dice, folder)()

  /** A query over `tables`. */
  def query(dice: Dice, tables: Tables): Query
}

object Generator {

  /** Every feature's generator: a new feature adds its own here. */
  val all: Seq[Generator] =
    Seq(
      setop.SetOpGenerator,
      dynamicfilter.JoinGenerator,
      adaptivefilter.FilterGenerator,
      bulkfilter.BulkGenerator,
      rangesource.RangeGenerator)
}

/** A random query, which is run twice: without Sieve and with Sieve. */
trait Query {

  /** The confs under which the query runs. They may change its plan, but not its rows. */
  def settings: Map[String, String]

  /** Statements to run before the query, such as those that create its views. */
  def before: Seq[String]

  /** Statements that undo `before`. */
  def after: Seq[String]

  /** The query as text for a reader. */
  def text: String

  /** Analyses the query. Called for each run, because a DataFrame is planned only once. */
  def dataFrame(spark: SparkSession): DataFrame

  /**
   * Whether the runs may return different strings of those that a collation merges into one group.
   */
  def mergesStrings: Boolean

  /**
   * The correct rows, computed without the rules under test. Called with Sieve off.
   *
   * @param run
   *   runs SQL and returns its rows
   */
  def oracle(spark: SparkSession, run: String => Answer): Answer

  /** Whether the rows do not depend on the order in which the sources return theirs. */
  def hasOneAnswer: Boolean = true

  /**
   * Whether both runs start from the same plan, so that only a rule can make their plans differ.
   */
  def readsTheSame: Boolean = true

  /** Whether each run caches its input before it reads it. */
  def caches: Boolean = false

  /** Simpler queries that may fail in the same way, the simplest first. */
  def simpler: Seq[Query]
}
