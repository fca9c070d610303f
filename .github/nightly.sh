#!/usr/bin/env bash
# What the nightly workflow runs, so that trouble of the network does not make a night red.
#   nightly.sh install               installs the packages, in three tries; a failure leaves the target untested
#   nightly.sh mutants               leaves the record that reports tell of; what goes wrong is a warning, and no target's fault
#   nightly.sh run NAME COMMAND...   runs a command of the suite; its status 2 leaves the target untested, any other is kept
#     SUMMARY=FILE   is shown on the page of the job
#     KEPT=FOLDER    holds the history of the nights and the results of the last one, which this one is compared with
# Untested is a state of its own: the step ends well, with a warning, a sentence in the summary and state=untested.
set -uo pipefail

output=${GITHUB_OUTPUT:-/dev/null}
page=${GITHUB_STEP_SUMMARY:-/dev/null}

untested() {
  echo "state=untested" >>"$output"
  echo "::warning title=$1 was not tested::$2 This says nothing of the contract."
  printf '**%s was not tested.** %s This says nothing of the contract.\n\n' "$1" "$2" >>"$page"
}

install() {
  for pause in 20 60 0; do
    npm ci && return 0
    sleep "${NIGHTLY_PAUSE:-$pause}"
  done
  return 1
}

# Results that this edition of the suite can't read any more are no baseline: otherwise no later night would be tested.
recall() {
  mkdir -p "$KEPT"
  export NFE_HISTORY=$KEPT/history.jsonl
  if [ ! -f "$KEPT/results.json" ]; then return; fi
  npm run report -- --from "$KEPT/results.json" --out "$KEPT/check" >/dev/null 2>&1
  if [ $? -lt 2 ]; then export NFE_BASELINE=$KEPT/results.json; fi
  rm -rf "$KEPT/check"
}

# A night that could not test the target is no baseline for the next one.
remember() {
  local results=${NFE_REPORT_DIR:-reports/out}/results.json
  if [ -f "$results" ]; then cp "$results" "$KEPT/results.json"; fi
}

case ${1:-} in
install)
  if install; then echo "state=installed" >>"$output"; else untested "The target" "The packages could not be installed."; fi
  ;;
mutants)
  npm run mutants && exit 0
  message="npm run mutants found the suite itself wanting, or broke: its log says which. This says nothing of the target."
  echo "::warning title=The suite was not proven::$message"
  printf '**The suite was not proven.** %s\n\n' "$message" >>"$page"
  ;;
run)
  name=$2
  shift 2
  if [ -n "${KEPT:-}" ]; then recall; fi
  "$@"
  status=$?
  if [ -n "${KEPT:-}" ] && [ "$status" -lt 2 ]; then remember; fi
  if [ "$status" -eq 2 ]; then
    untested "$name" "The run ended in an error: its log says which."
  else
    echo "state=tested" >>"$output"
  fi
  if [ -n "${SUMMARY:-}" ] && [ -f "$SUMMARY" ]; then cat "$SUMMARY" >>"$page"; fi
  if [ "$status" -ne 2 ]; then exit "$status"; fi
  ;;
*)
  echo "nightly.sh takes install, mutants, or run NAME COMMAND..." >&2
  exit 64
  ;;
esac
