// SPDX-License-Identifier: Apache-2.0
package cluster;

import org.apache.spark.TaskContext;
import org.apache.spark.util.TaskCompletionListener;

/** A plugin of Spark: in each stage, the first attempt of every second task fails at its end. */
public final class FailingTasks extends TaskPlugin {

  @Override
  void begun(TaskContext task) {
    if (task.attemptNumber() == 0 && task.partitionId() % 2 == 0) {
      task.addTaskCompletionListener((TaskCompletionListener) ended -> fail());
    }
  }

  private static void fail() {
    throw new IllegalStateException("The first attempt of this task fails when its work is done");
  }
}
