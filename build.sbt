// SPDX-License-Identifier: Apache-2.0
inThisBuild(Publishing.build)
ThisBuild / version := SieveBuild.projectVersion((ThisBuild / baseDirectory).value)
Publishing.staging

// Two cores: the tests of two lines run at a time, one suite of each. sbt's default restrictions
// allow one, and restrictions added to them cannot allow more, so these replace them.
Global / concurrentRestrictions := Seq(
  Tags.limitAll(java.lang.Runtime.getRuntime.availableProcessors),
  Tags.limit(Tags.ForkedTestGroup, 2),
  Tags.exclusiveGroup(Tags.Clean)
)
Global / cancelable := true

// Commands without a project act on one line: 4.2, or the line that -Dspark.line names.
Global / onLoad ~= (_.andThen("project " + SieveBuild.chosenLine.projectId :: _))

Global / commands ++=
  Seq(
    Verify.command,
    Upstream.command,
    Release.command,
    Peers.command,
    Cluster.command,
    Neighbours.command)

lazy val root = project
  .in(file("."))
  .settings(SieveTasks.root, Peers.root, Cluster.root, Neighbours.root, publish / skip := true)

lazy val lines = SieveBuild.lines

addCommandAlias("wheel", "root/wheel")
addCommandAlias("demoJar", "root/demoJar")
addCommandAlias("docs", "root/docs")
addCommandAlias("configs", "runConfigs")
addCommandAlias("differential", "runDifferential")
addCommandAlias("soak", "runSoak")
addCommandAlias("fix", "root/scalafmtSbt; scalafmtAll; scalafixAll; scalafmtAll")
