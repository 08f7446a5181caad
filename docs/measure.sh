#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Measures all figures in docs/figures again, and draws their charts: about a quarter of an hour on two idle cores. With names,
# as in `docs/measure.sh setop demo`, only these.
set -eu
cd "$(dirname "$0")/.."
wanted=" ${*:-demo setop dynamicfilter adaptivefilter bulkfilter rangesource} "

# Verdicts name the files of a scan; the place of this folder is left out.
bench() {
  case $wanted in
    *" $1 "*) ./sbt "bench $*" && sed "s#file:$PWD/##g; s#$PWD/##g" "target/bench/$1.json" >"docs/figures/$1.json" ;;
  esac
}

case $wanted in
  *" demo "*) ./sbt demo --out target/demo.html --json docs/figures/demo.json ;;
esac
bench setop --rows 1_000_000 --runs 3 --cases except/shuffled-large-right,except-all/large,intersect/half,intersect-all/half,union/overlap,anti/join,semi/join,counting/except/few/halves,counting/intersect/all/tiny-right,planning/simple,planning/except
bench dynamicfilter --rows 3_000_000 --runs 3 --cases join/sort-merge,join/broadcast/scattered,keep-out/all-match/broadcast,planning/simple
bench adaptivefilter --rows 300_000 --runs 3 --cases cheap/best,regex/worst,regex/best
bench bulkfilter --rows 300_000 --runs 3 --cases nested,pruning
bench rangesource --rows 1_000_000 --runs 3
python3 docs/charts.py
