// SPDX-License-Identifier: Apache-2.0
package io.sparksieve

import java.nio.file.Files
import java.nio.file.attribute.PosixFilePermissions

import org.apache.hadoop.fs.{Path, RawLocalFileSystem}
import org.apache.hadoop.fs.permission.FsPermission

import org.apache.spark.DebugFilesystem

/**
 * The file system of Spark's tests, but Java sets the permissions of new files and folders. Without
 * its native library Hadoop starts a `chmod` for each, which takes longer than to write the file.
 */
class ForklessFileSystem extends DebugFilesystem {

  fs = new RawLocalFileSystem {
    override def setPermission(path: Path, permission: FsPermission): Unit = {
      val actions =
        Seq(permission.getUserAction, permission.getGroupAction, permission.getOtherAction)
      val permissions = PosixFilePermissions.fromString(actions.map(_.SYMBOL).mkString)
      Files.setPosixFilePermissions(pathToFile(path).toPath, permissions)
      ()
    }
  }
}
