package io.sparksieve.differential

import org.apache.spark.sql.{DataFrame, SparkSession}

/** Makes the random tables and queries that test one room. */
trait Generator {

  /** The room's name on the command line. */
  def room: String

  /** The rules that must each have changed some plan in a run that is long enough. */
  def rules: Seq[String]

  /** Tables for the next queries; those that are read by path are written into `folder`. */
  def tables(dice: Dice, folder: String): Tables = new RandomTables(dice, folder)()

  /** A query over `tables`. */
  def query(dice: Dice, tables: Tables): Query
}

object Generator {

  /** Every room's generator: a new room adds its own here. */
  val all: Seq[Generator] =
    Seq(
      setop.SetOpGenerator,
      dynamicfilter.JoinGenerator,
      adaptivefilter.FilterGenerator,
      bulkfilter.BulkGenerator,
      rangesource.RangeGenerator)
}

/** A random query, run twice: without Sieve and with it. */
trait Query {

  /** The confs under which it runs; each is one that may change its plan but not its rows. */
  def settings: Map[String, String]

  /** Statements that come before the query, such as the views it reads. */
  def before: Seq[String]

  /** Statements that undo `before`. */
  def after: Seq[String]

  /** The query, for a reader. */
  def text: String

  /** Analyses the query; called anew for each run, because a DataFrame plans once. */
  def dataFrame(spark: SparkSession): DataFrame

  /** Whether rows may differ in which of the strings that a collation merges stands for a group. */
  def mergesStrings: Boolean

  /**
   * The right answer, by other means than the rules under test. Called with Sieve off.
   *
   * @param run
   *   runs SQL and yields its rows
   */
  def oracle(spark: SparkSession, run: String => Answer): Answer

  /** Whether both runs read the same, so that nothing but a rule can make their plans differ. */
  def readsTheSame: Boolean = true

  /** Simpler queries that may fail in the same way, the simplest first. */
  def simpler: Seq[Query]
}
