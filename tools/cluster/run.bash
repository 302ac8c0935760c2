# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# What the scripts of this folder share: a run is a folder. It has
#   directory      where the command is called
#   arguments      what check is asked, one word a line
#   parts          how many parts there are; written last, so that with it the run is prepared
#   reports/       part-2-of-8.json, and part-3-of-8.partial.json of a part that was interrupted and has not run again
#   logs/          what tasks print
#   report.json    the parts as one report

tools=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
most_parts=10000

# die CODE WORDS...: one message with the name of the script.
die() {
  local code=$1
  shift
  printf '%s: %s\n' "${0##*/}" "$*" >&2
  exit "$code"
}

# The comment at the head of the script, behind its licence.
print_help() { sed -n '3,/^[^#]/s/^# \{0,1\}//p' "$0"; }

# The command: $TIEBREAK, else that of this tree, else that of the installation.
tiebreak_command() {
  if [[ -n ${TIEBREAK:-} ]]; then
    command -v -- "$TIEBREAK" || die 2 "no such command: $TIEBREAK (the environment variable TIEBREAK)"
  elif [[ -x $tools/../../build/tiebreak ]]; then
    printf '%s\n' "$tools/../../build/tiebreak"
  else
    command -v tiebreak || die 2 'there is no command tiebreak: build it, or name it with TIEBREAK=PATH'
  fi
}

# A number of parts or of a part. Without leading zeros, which bash takes for octal numbers.
is_number() { [[ $1 =~ ^[1-9][0-9]{0,5}$ && $1 -le $most_parts ]]; }

# parts_of FOLDER
parts_of() {
  local parts
  [[ -f $1/parts ]] || die 2 "$1 is no run: tools/cluster/prepare makes one"
  parts=$(<"$1/parts")
  is_number "$parts" || die 2 "damaged run: '$parts' is no number of parts ($1/parts)"
  printf '%s\n' "$parts"
}

# name_of_part FOLDER INDEX PARTS: without its ending.
name_of_part() { printf '%s/reports/part-%0*d-of-%d\n' "$1" "${#3}" "$2" "$3"; }
