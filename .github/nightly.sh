#!/usr/bin/env bash
# What a night of tests runs, here and in docs/ci, so that trouble of the network does not make a night red.
#   nightly.sh install               installs the packages, in three tries; a failure leaves the target untested
#   nightly.sh mutants               leaves the record that reports tell of; what goes wrong is a warning, and no target's fault
#   nightly.sh run NAME COMMAND...   runs a command of the suite; its status 2 leaves the target untested, any other is kept
#   nightly.sh server NAME           tests a server: the profile, the doctor, and then npm test, if the doctor finds it worth it
#     SUMMARY=FILE          is shown on the page of the job
#     KEPT=FOLDER           holds the history of the nights, the results of the last one, which this one is compared with, and
#                           the nights since then that could not test the target
#     PROFILE_ARCHIVE=TEXT  the profile's folder as tar.gz in base64, or a file that holds that text
# Untested is a state of its own: the step ends well, with a warning, a sentence in the summary and state=untested. The third
# night in a row ends with status 3.
set -uo pipefail

output=${GITHUB_OUTPUT:-/dev/null}
page=${GITHUB_STEP_SUMMARY:-/dev/null}
nights=3
unpacked=profiles/unpacked
profile_files=(
  empresa.json certificado.pfx certificado.json nf-e.autorizada.json nf-e.negada.json nf-e.invalida.json
  outra-empresa.json outro-certificado.pfx verificacao.autorizada.xml verificacao.rejeitada.xml consultas.json
)

# Says a thing in the log, as an annotation where that log has such, and on the page.
say() { # warning|error TITLE TEXT
  if [ -n "${GITHUB_ACTIONS:-}" ]; then echo "::$1 title=$2::$3"; else echo "$1: $2. $3"; fi
  printf '**%s.** %s\n\n' "$2" "$3" >>"$page"
}

# A night counts once, however often it is repeated.
count_untested() {
  [ -n "${KEPT:-}" ] && mkdir -p "$KEPT" || return 0
  local tonight
  tonight=$(date -u +%F)
  grep -qsx "$tonight" "$KEPT/untested" || echo "$tonight" >>"$KEPT/untested"
  wc -l <"$KEPT/untested" | tr -d ' '
}

# Gives the status that the step is to end with.
untested() { # NAME WHY
  local count
  count=$(count_untested)
  echo "state=untested" >>"$output"
  if [ "${count:-0}" -lt "$nights" ]; then
    say warning "$1 was not tested" "$2 This says nothing of the contract."
    return 0
  fi
  say error "$1 was not tested for $count nights in a row" "$2 This says nothing of the contract, but nobody watches it."
  return 3
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
  rm -f "$KEPT/untested"
}

# The profile for as long as the step takes, for this user alone, and in no folder that is kept. Nothing of it is printed, also
# not by tar, whose complaints name files.
unpack() {
  local archive=$PROFILE_ARCHIVE inside file
  unset PROFILE_ARCHIVE
  trap 'rm -rf "$unpacked"' EXIT
  rm -rf "$unpacked" && (umask 077 && mkdir -p "$unpacked") || return 1
  if [ -f "$archive" ]; then archive=$(cat "$archive"); fi
  tr -d '[:space:]' <<<"$archive" | base64 -d 2>/dev/null | tar -xzf - -C "$unpacked" 2>/dev/null || return 1
  export NFE_PROFILE=$unpacked
  inside=("$unpacked"/*)
  if [ "${#inside[@]}" -eq 1 ] && [ -d "${inside[0]}" ]; then NFE_PROFILE=${inside[0]}; fi
  rm -f "$NFE_PROFILE"/._* # what macOS adds
  for file in "${profile_files[@]}"; do
    if [ -f "$NFE_PROFILE/$file" ]; then return 0; fi
  done
  return 1
}

# Shows what the doctor finds on the page, too. It leaves nothing at the target.
doctor() {
  local told status
  told=$(npm run --silent doctor 2>&1)
  status=$?
  printf '%s\n' "$told"
  printf '<pre>\n%s\n</pre>\n\n' "$(sed 's/&/\&amp;/g; s/</\&lt;/g' <<<"$told")" >>"$page"
  return "$status"
}

run() { # NAME COMMAND...
  local name=$1 status
  shift
  if [ -n "${KEPT:-}" ]; then recall; fi
  "$@"
  status=$?
  if [ -n "${KEPT:-}" ] && [ "$status" -lt 2 ]; then remember; fi
  if [ "$status" -eq 2 ]; then
    untested "$name" "The run ended in an error: its log says which."
    status=$?
  else
    echo "state=tested" >>"$output"
  fi
  if [ -n "${SUMMARY:-}" ] && [ -f "$SUMMARY" ]; then cat "$SUMMARY" >>"$page"; fi
  return "$status"
}

case ${1:-} in
install)
  if install; then echo "state=installed" >>"$output"; else untested "The target" "The packages could not be installed."; fi
  ;;
mutants)
  npm run mutants && exit 0
  say warning "The suite was not proven" \
    "npm run mutants found the suite itself wanting, or broke: its log says which. This says nothing of the target."
  ;;
run)
  run "${@:2}"
  ;;
server)
  if [ -n "${PROFILE_ARCHIVE:-}" ] && ! unpack; then
    untested "$2" "PROFILE_ARCHIVE is no profile: it takes what tar -cz -C FOLDER . | base64 prints of a profile's folder."
    exit
  fi
  doctor
  if [ $? -eq 2 ]; then
    untested "$2" "The doctor found what keeps a run from being fair; nothing was sent after it."
    exit
  fi
  run "$2" npm test
  ;;
*)
  echo "nightly.sh takes install, mutants, run NAME COMMAND..., or server NAME" >&2
  exit 64
  ;;
esac
