// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.conf

/**
 * Every config of Sieve: its key, type, default, allowed values and description.
 *
 * The entries register themselves with Spark when this object is initialised, which is the first
 * step of [[SieveExtensions]]. Spark checks a value when it is set (`SET spark.sieve...`,
 * `spark.conf.set`) only if the entry is registered; otherwise it accepts any string, and the first
 * query that reads the config fails.
 *
 * The config table of the documentation and `configs.json` of the Python package are generated from
 * [[SieveConf.all]] (see [[ConfigDocs]]).
 */
private[sparksieve] object SieveConf
    extends ConfigRegistry
    with MasterSwitch
    with SetOpConfigs
    with DynamicFilterConfigs
    with AdaptiveFilterConfigs
    with BulkFilterConfigs
    with DisplayConfigs
    with AdviseConfigs {

  /** Every config, in the order of the documentation's table. */
  val all: Seq[Config] = documented

  /**
   * Initialises this object, so that its entries are registered. The extension calls it before
   * anything else.
   */
  def register(): Unit = {
    require(all.nonEmpty)
    registerPrototype()
  }
}
