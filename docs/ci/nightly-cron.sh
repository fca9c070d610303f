#!/usr/bin/env bash
# A night of tests of a server, for cron and for CI systems without a workflow of their own here:
#   nightly-cron.sh [--install]   with --install it installs the packages first, else they have to be there
# It asks the doctor, then runs npm test, compares with the last night, and keeps the history. Its settings are those of npm
# test, from .env or the environment, and:
#   NAME             what the target is called in messages (Homologacao)
#   KEPT             folder of what goes on from night to night, and of the log (reports/nightly)
#   PROFILE_ARCHIVE  a profile as text, or a file of that text: see docs/ci.md
# Ends with 0 where nothing failed, 1 where the contract is broken, 2 where the target could not be tested, and 3 where it
# could not be for the third night in a row. Prints nothing with 0, so that cron sends no mail; in a CI system, all as it comes.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 2
export KEPT=${KEPT:-reports/nightly} NFE_TARGET=${NFE_TARGET:-sandbox}
log=$KEPT/night.log
mkdir -p "$KEPT" && : >"$log" || exit 2

# The steps tell their state where those of a GitHub job do.
GITHUB_OUTPUT=$(mktemp) || exit 2
export GITHUB_OUTPUT GITHUB_STEP_SUMMARY=/dev/null
begun=$(mktemp) || exit 2
trap 'rm -f "$GITHUB_OUTPUT" "$begun"' EXIT
is_untested() { grep -qx state=untested "$GITHUB_OUTPUT"; }

night() {
  if [ "${1:-}" = --install ]; then
    bash .github/nightly.sh install || return
    if is_untested; then return 0; fi
  fi
  bash .github/nightly.sh server "${NAME:-Homologacao}"
}

if [ -n "${CI:-}" ]; then
  night "$@" 2>&1 | tee "$log"
  status=${PIPESTATUS[0]}
else
  night "$@" >"$log" 2>&1
  status=$?
fi
if [ "$status" -eq 0 ] && is_untested; then status=2; fi
if [ "$status" -ne 0 ] && [ -z "${CI:-}" ]; then
  tail -n 60 "$log"
  reports=${NFE_REPORT_DIR:-reports/out}
  # A night that came to no run leaves those of an earlier one.
  if [ "$reports/results.json" -nt "$begun" ]; then
    echo "The whole log: $log; the reports: $reports."
  else
    echo "The whole log: $log; there are no reports of this night."
  fi
fi
exit "$status"
