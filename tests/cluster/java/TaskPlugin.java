// SPDX-License-Identifier: Apache-2.0
package cluster;

import org.apache.spark.TaskContext;
import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.SparkPlugin;

/** A plugin of Spark that does something in executors when a task begins. */
abstract class TaskPlugin implements SparkPlugin {

  /** Called on the thread of the task, before its work. */
  abstract void begun(TaskContext task);

  @Override
  public final DriverPlugin driverPlugin() {
    return null;
  }

  @Override
  public final ExecutorPlugin executorPlugin() {
    return new ExecutorPlugin() {
      @Override
      public void onTaskStart() {
        begun(TaskContext.get());
      }
    };
  }
}
