#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Measures the figures in docs/figures again, and draws their charts: about a quarter of an hour on two idle cores. With
# --large the larger runs in docs/figures/large, 40 minutes. With names, as in `docs/measure.sh setop demo`, only these.
set -eu
cd "$(dirname "$0")/.."
large=
known="demo setop dynamicfilter adaptivefilter bulkfilter rangesource"
if [ "${1:-}" = --large ]; then
  large=yes
  known="setop dynamicfilter adaptivefilter bulkfilter"
  shift
fi
for name in "$@"; do
  case " $known " in
    *" $name "*) ;;
    *)
      echo "There is no figure $name${large:+ with --large}; there are: $known." >&2
      exit 2
      ;;
  esac
done
wanted=" ${*:-$known} "

# Verdicts name the files of a scan; the place of this folder is left out.
measure() {
  folder=$1
  shift
  case $wanted in
    *" $1 "*) ./sbt "bench $*" && sed "s#file:$PWD/##g; s#$PWD/##g" "target/bench/$1.json" >"$folder/$1.json" ;;
  esac
}

bench() { if [ -z "$large" ]; then measure docs/figures "$@"; fi; }
bench_large() { if [ -n "$large" ]; then measure docs/figures/large "$@"; fi; }

case $wanted in
  *" demo "*) if [ -z "$large" ]; then ./sbt demo --out target/demo.html --json docs/figures/demo.json; fi ;;
esac
bench setop --rows 1_000_000 --runs 3 --cases except/shuffled-large-right,except-all/large,intersect/half,intersect-all/half,union/overlap,anti/join,semi/join,counting/except/few/halves,counting/intersect/all/tiny-right,planning/simple,planning/except
bench dynamicfilter --rows 3_000_000 --runs 3 --cases join/sort-merge,join/broadcast/scattered,keep-out/all-match/broadcast,planning/simple
bench adaptivefilter --rows 300_000 --runs 3 --cases cheap/best,regex/worst,regex/best
bench bulkfilter --rows 300_000 --runs 3 --cases nested,pruning
bench rangesource --rows 1_000_000 --runs 3
bench_large setop --rows 3_000_000 --runs 3 --cases except/month,except/shuffled-large-right,except/chain,except-all/large,except-all/month,intersect/half,intersect-all/half,union/overlap,anti/join,anti/not-exists,semi/join,semi/in,counting/except/few/halves,counting/except/many/halves,counting/except/all/halves,counting/intersect/all/tiny-right,planning/simple
bench_large dynamicfilter --rows 50_000_000 --runs 3 --cases join/sort-merge/clustered,join/sort-merge/scattered,join/broadcast/clustered,join/broadcast/scattered
bench_large adaptivefilter --rows 10_000_000 --runs 3 --cases regex/worst,regex/best
bench_large bulkfilter --rows 10_000_000 --runs 3 --cases nested
python3 docs/charts.py
