// SPDX-License-Identifier: Apache-2.0
import sbt.*

/** The checks of `verify` that need no compiled classes: format, lint, licences, schemas, types. */
object StyleChecks {

  import Step.{check, dev, sbt}

  private val pythonFolders =
    Seq(
      "docs",
      "python/src",
      "tests/child.py",
      "tests/cluster",
      "tests/lake",
      "tests/neighbours",
      "tests/python",
      "tests/release",
      "tests/said.py")

  def apply(root: File): Seq[Step] = Seq(
    sbt("format of Scala", "root/scalafmtSbtCheck", "scalafmtCheckAll"),
    dev(root, "format of Python", "ruff", Seq("format", "--check") ++ pythonFolders: _*),
    dev(root, "lint of Python", "ruff", "check" +: pythonFolders: _*),
    dev(root, "licence lines", "python", "project/headers.py"),
    dev(root, "mutations are of this code", "python", "tests/mutation/run.py", "--check"),
    github(root),
    types(root)
  )

  /** Checks what GitHub reads against the schemas that it publishes. */
  private def github(root: File): Step =
    Step(Seq("schemas of GitHub's files")) { _ =>
      val folder = root / ".github"
      val schemas = Seq(
        "dependabot" -> Seq(folder / "dependabot.yml"),
        "github-workflows" -> (folder / "workflows" * "*.yml").get(),
        "github-actions" -> (folder ** "action.yml").get(),
        "github-issue-forms" -> (folder / "ISSUE_TEMPLATE" * ("*.yml" -- "config.yml")).get(),
        "github-issue-config" -> Seq(folder / "ISSUE_TEMPLATE" / "config.yml")
      )
      Seq(check(schemas.forall { case (schema, found) =>
        val words = Seq("--quiet", "--builtin-schema", s"vendor.$schema") ++ found.map(_.getPath)
        Python.run(root, Python.dev(root), "check-jsonschema", words)
      }))
    }

  /** Runs mypy, which reads pyspark's type hints through the interpreter of `.venv`. */
  private def types(root: File): Step = {
    val interpreter = (Python.main(root) / "bin" / "python").getPath
    val words = Seq(
      "--strict",
      "--config-file",
      "python/pyproject.toml",
      "--python-executable",
      interpreter,
      "python/src"
    )
    Step(Seq("types of Python"))(_ => Seq(check(Python.run(root, Python.dev(root), "mypy", words))))
  }
}
