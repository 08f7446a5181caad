#!/bin/sh
# Builds, tests and demonstrates Sieve: needs git, Java 17 to 21 and Python 3.11 or newer, and brings the rest itself.
# Words that are no option are sbt's own (./sbt compile); demo, verify, wheel, knobs, bench and differential take every
# word that follows them as theirs.
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
python=${PYTHON:-python3}
python_remedy="install Python 3.11 or newer and put it on the PATH as python3, or set PYTHON to it"
command -v "$python" >/dev/null 2>&1 || die "no Python at '$python': $python_remedy."
python_version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null) ||
  die "'$python' does not run: $python_remedy."
case $python_version in
  2.* | 3.[0-9] | 3.10) die "'$python' is Python $python_version, pyspark 4.3 needs 3.11: $python_remedy." ;;
esac

venv=.venv
stamp=$venv/requirements.stamp
if ! cmp -s project/requirements.txt "$stamp"; then
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
jvm="-Xmx2g -Xss4m -Dfile.encoding=UTF-8"
while [ $# -gt 0 ]; do
  case $1 in
    -D* | -X*) jvm="$jvm $1" && shift ;;
    *) break ;;
  esac
done
# sbt takes each word for a command of its own; ours are one command with arguments.
case ${1:-} in
  demo | verify | wheel | knobs | bench | differential) set -- "$*" ;;
esac
# shellcheck disable=SC2086 # the JVM's options are words without spaces
exec "$java" $jvm -jar "$launcher" "$@"
