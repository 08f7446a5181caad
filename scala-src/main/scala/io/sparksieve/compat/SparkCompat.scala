// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.compat

import org.apache.hadoop.conf.Configuration

import org.apache.spark.sql.{ExperimentalMethods, SparkSession}
import org.apache.spark.sql.catalyst.analysis.TableFunctionRegistry
import org.apache.spark.sql.catalyst.parser.ParserInterface
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.execution.{
  CacheManager,
  CommandExecutionMode,
  QueryExecution,
  SparkPlanner
}
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.util.ExecutionListenerManager

/** Access to the parts of a session, which differs between Spark lines. */
private[sparksieve] object SparkCompat {

  def conf(session: SparkSession): SQLConf = session.sessionState.conf

  /** Hadoop's configuration with the settings of the session and the options of a relation. */
  def hadoopConf(session: SparkSession, options: Map[String, String]): Configuration =
    session.sessionState.newHadoopConfWithOptions(options)

  def cacheManager(session: SparkSession): CacheManager = session.sharedState.cacheManager

  def parser(session: SparkSession): ParserInterface = session.sessionState.sqlParser

  def experimental(session: SparkSession): ExperimentalMethods =
    session.sessionState.experimentalMethods

  def planner(session: SparkSession): SparkPlanner = session.sessionState.planner

  def listeners(session: SparkSession): ExecutionListenerManager =
    session.sessionState.listenerManager

  def tableFunctions(session: SparkSession): TableFunctionRegistry =
    session.sessionState.tableFunctionRegistry

  /** Plans a query without running it, commands included. */
  def plan(session: SparkSession, query: LogicalPlan): QueryExecution =
    session.sessionState.executePlan(query, CommandExecutionMode.SKIP)
}
