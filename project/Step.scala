// SPDX-License-Identifier: Apache-2.0
import sbt.*

/**
 * Checks of `verify` that run together, with their names; `run` returns the counts of each check.
 *
 * @param latest
 *   the minute of the run after which the checks no longer start; the output says so
 */
final case class Step(names: Seq[String], latest: Int = Int.MaxValue)(
    val run: State => Seq[Counts]) {

  def has(part: String): Boolean = names.exists(_.contains(part))
}

object Step {

  /** The counts of a check that has no tests of its own. */
  def check(ok: Boolean): Counts = if (ok) Counts(1, 0) else Counts(0, 1)

  /** A check that passes if all commands of sbt succeed. */
  def sbt(name: String, commands: String*): Step =
    Step(Seq(name))(state => Seq(check(commands.forall(succeeds(_, state)))))

  /** A check that passes if a program of the Python tools exits with 0. */
  def dev(root: File, name: String, program: String, words: String*): Step =
    Step(Seq(name))(_ => Seq(check(Python.run(root, Python.dev(root), program, words))))

  /** Runs an sbt command; false if it, or any command that it starts, fails. */
  def succeeds(command: String, state: State): Boolean = {
    val failed = Exec("verify-step-failed", None)
    var unparsed = false
    val alone = state.copy(remainingCommands = Nil, onFailure = Some(failed))
    val after = Command.process(command, alone, message => { println(message); unparsed = true })
    !unparsed && !after.remainingCommands.contains(failed)
  }
}
