#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Builds, tests and demonstrates Sieve: needs git, Java 17 to 21 and Python 3.11 or newer, and brings the rest itself.
# Words that are no option are sbt's own (./sbt compile); demo, verify, wheel, configs, bench, cluster, differential,
# soak, upstream and release take every word that follows them as theirs.
set -eu

sbt_version=1.11.7
cd "$(dirname "$0")"

die() {
  echo "sbt: $1" >&2
  exit 1
}

# --- Java -----------------------------------------------------------------------------------------------------------
java=${JAVA_HOME:+$JAVA_HOME/bin/}java
java_remedy="install JDK 17 or 21 and put it on the PATH, or set JAVA_HOME to it"
command -v "$java" >/dev/null 2>&1 || die "no Java at '$java': $java_remedy."
java_version=$("$java" -version 2>&1 | sed -n 's/.* version "\([^"]*\)".*/\1/p')
java_major=$(echo "${java_version#1.}" | sed 's/[^0-9].*//')
if [ "${java_major:-0}" -lt 17 ] || [ "$java_major" -gt 21 ]; then
  die "'$java' is Java ${java_version:-of unknown version}, Spark's lines need 17 to 21: $java_remedy."
fi

# --- Python and pyspark ---------------------------------------------------------------------------------------------
# Spark's own pyspark must win over whatever a SPARK_HOME points to.
unset SPARK_HOME
python_remedy="install Python 3.11 or newer as python3, or set PYTHON to one"
python='' seen=''
for candidate in ${PYTHON:-python3 python3.13 python3.12 python3.11}; do
  version=$("$candidate" -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null) || continue
  case $version in
    2.* | 3.[0-9] | 3.10) seen="$seen, '$candidate' is Python $version" ;;
    *) python=$candidate && break ;;
  esac
done
[ -n "$python" ] || die "no Python that pyspark 4.3 runs on${seen:-, '${PYTHON:-python3}' does not run}: $python_remedy."

venv=.venv
stamp=$venv/requirements.stamp
if ! cmp -s project/requirements.txt "$stamp" || [ ! -x "$venv/bin/python" ]; then
  echo "sbt: preparing $venv with the pinned pyspark (once)" >&2
  "$python" -c 'import ensurepip, venv' 2>/dev/null ||
    die "'$python' cannot make virtual environments: install its venv module (Debian, Ubuntu: apt install python3-venv)."
  "$python" -m venv --clear "$venv"
  "$venv/bin/python" -m pip install --quiet --requirement project/requirements.txt ||
    die "pip could not install project/requirements.txt: see its message above, then run ./sbt again."
  cp project/requirements.txt "$stamp"
fi

# --- sbt itself, through the Ivy that pyspark brings ----------------------------------------------------------------
launcher=.cache/sbt/sbt-launch-$sbt_version.jar
if [ ! -f "$launcher" ]; then
  echo "sbt: fetching sbt $sbt_version (once)" >&2
  "$java" -jar "$venv"/lib/python*/site-packages/pyspark/jars/ivy-*.jar -warn -confs default \
    -dependency org.scala-sbt sbt-launch "$sbt_version" -retrieve ".cache/sbt/[artifact]-[revision].[ext]" >&2 ||
    die "Ivy could not fetch sbt-launch $sbt_version: see its message above, then run ./sbt again."
fi

# --- run ------------------------------------------------------------------------------------------------------------
jvm="-Xmx4g -Xss4m -XX:ReservedCodeCacheSize=512m -Dfile.encoding=UTF-8"
while [ $# -gt 0 ]; do
  case $1 in
    -D* | -X*) jvm="$jvm $1" && shift ;;
    *) break ;;
  esac
done


# The demo runs outside sbt, which would take memory from it, and builds only when a source is newer than the jar.
if [ "${1:-}" = demo ]; then
  shift
  jar=$(ls python/src/sparksieve/jars/sparksieve-spark-4.3_*.jar 2>/dev/null || true)
  if [ -z "$jar" ] || [ -n "$(find build.sbt project/*.* scala-src python/src/sparksieve/_version.py -newer "$jar")" ]; then
    # shellcheck disable=SC2086 # the JVM's options are words without spaces
    "$java" $jvm -jar "$launcher" demoJar
  fi
  PYTHONPATH=python/src${PYTHONPATH:+:$PYTHONPATH} exec "$venv/bin/python" -m sparksieve demo "$@"
fi

# sbt takes each word for a command of its own; these are one command with words of their own.
case ${1:-} in
  verify | wheel | configs | bench | cluster | differential | soak | upstream | release) set -- "$*" ;;
esac
# shellcheck disable=SC2086
exec "$java" $jvm -jar "$launcher" "$@"
