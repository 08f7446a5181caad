// SPDX-License-Identifier: Apache-2.0
package cluster;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.TaskContext;

/**
 * A plugin of Spark: when a stage begins, the shuffle files that earlier stages have written are
 * lost, on all executors of this machine. A stage that is tried again loses nothing.
 */
public final class LostShuffles extends TaskPlugin {

  @Override
  void begun(TaskContext task) {
    if (task.stageAttemptNumber() + task.attemptNumber() + task.partitionId() == 0) {
      lose();
    }
  }

  private static void lose() {
    // The folders of the workers lie beside each other.
    File own = new File(System.getenv("SPARK_LOCAL_DIRS"));
    while (!own.getName().startsWith("disk")) {
      own = own.getParentFile();
    }
    File[] disks = own.getParentFile().listFiles((home, name) -> name.startsWith("disk"));
    for (File disk : disks) {
      for (Path file : shuffles(disk.toPath())) {
        file.toFile().delete();
      }
    }
  }

  private static List<Path> shuffles(Path disk) {
    try (Stream<Path> files = Files.walk(disk)) {
      return files
          .filter(file -> file.getFileName().toString().matches("shuffle_\\w+\\.(data|index)"))
          .collect(Collectors.toList());
    } catch (IOException | UncheckedIOException vanished) {
      // A folder may vanish while it is read.
      return List.of();
    }
  }
}
