// SPDX-License-Identifier: Apache-2.0
package cluster;

import org.apache.spark.TaskContext;
import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.SparkPlugin;
import org.apache.spark.util.TaskCompletionListener;

/** A plugin of Spark: in each stage, the first attempt of every second task fails at its end. */
public final class FailingTasks implements SparkPlugin {

  @Override
  public DriverPlugin driverPlugin() {
    return null;
  }

  @Override
  public ExecutorPlugin executorPlugin() {
    return new ExecutorPlugin() {
      @Override
      public void onTaskStart() {
        TaskContext task = TaskContext.get();
        if (task.attemptNumber() == 0 && task.partitionId() % 2 == 0) {
          task.addTaskCompletionListener((TaskCompletionListener) ended -> fail());
        }
      }
    };
  }

  private static void fail() {
    throw new IllegalStateException("The first attempt of this task fails when its work is done");
  }
}
