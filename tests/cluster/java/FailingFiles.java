// SPDX-License-Identifier: Apache-2.0
package cluster;

import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.TaskContext;

/**
 * The local file system, which fails the first time that a process opens a file for a stage. Only
 * processes with the system property {@code cluster.failing} fail: executors, whose tasks run
 * again.
 */
public final class FailingFiles extends LocalFileSystem {

  private static final Set<String> OPENED = ConcurrentHashMap.newKeySet();

  @Override
  public FSDataInputStream open(Path file, int bufferSize) throws IOException {
    TaskContext task = TaskContext.get();
    String place = (task == null ? "" : task.stageId()) + " " + file;
    if (Boolean.getBoolean("cluster.failing") && OPENED.add(place)) {
      throw new IOException("This is the first time that this executor opens " + file);
    }
    return super.open(file, bufferSize);
  }
}
