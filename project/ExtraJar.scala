// SPDX-License-Identifier: Apache-2.0
import sbt.*
import sbt.Keys.*

/**
 * A jar that only one program needs, which gets its path: it is on no class path.
 *
 * @param name
 *   the name of the configuration that holds it, in lower case
 */
final class ExtraJar(name: String, module: ModuleID) {

  private val configuration = Configuration.of(name.capitalize, name).hide

  /** Settings of the root project. */
  def root: Seq[Setting[?]] = Seq(
    ivyConfigurations += configuration,
    libraryDependencies += (module % configuration).intransitive()
  )

  /** The jar, for tasks of the root project. */
  def files: Def.Initialize[Task[Seq[File]]] = Def.task {
    update.value.select(configurationFilter(name))
  }
}
