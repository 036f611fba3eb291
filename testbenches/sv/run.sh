#!/bin/sh
# Plays folders of vector files into RTL with a block's testbench, in a simulator that is installed.
#   run.sh SIMULATOR BLOCK FOLDER... RTL...
# SIMULATOR is icarus or verilator; each FOLDER holds run.hex; from the first argument on that is no
# folder all go to the compiler. Prints PASS or FAIL for each folder.
#
# Exit status: 0 all passed, 1 one failed, 2 usage or RTL that does not compile, 3 a tool is missing.
#
# Variables: IVERILOG, VVP, VERILATOR name other programs; VERILATOR_FLAGS are further options.
set -u
export LC_ALL=C

usage() {
  echo "error: $1" >&2
  echo "  usage: run.sh icarus|verilator BLOCK FOLDER... RTL..." >&2
  exit 2
}

need() {
  command -v "$1" >/dev/null || {
    echo "error: $1 is missing: it compiles or runs the testbench; install it, or set $2" >&2
    exit 3
  }
}

[ "$#" -ge 4 ] || usage "$# arguments: at least 4 are needed"
simulator=$1
block=$2
shift 2
bench=$(dirname "$0")/${block}_tb.sv
[ -f "$bench" ] || usage "there is no testbench $bench"
case $simulator in
  icarus)
    need "${IVERILOG:=iverilog}" IVERILOG
    need "${VVP:=vvp}" VVP
    ;;
  verilator)
    need "${VERILATOR:=verilator}" VERILATOR
    need make PATH
    ;;
  *) usage "SIMULATOR is $simulator" ;;
esac

work=$(mktemp -d "${TMPDIR:-/tmp}/congruent.XXXXXX") || exit 2
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# The folders' names, one a line.
while [ "$#" -gt 0 ] && [ -d "$1" ]; do
  [ -f "$1/params.f" ] || usage "$1 holds no params.f: accepted is a folder of vector files, format 2"
  echo "$1" >>"$work/folders"
  shift
done
[ -s "$work/folders" ] || usage "$1 is no folder of vector files"
[ "$#" -gt 0 ] || usage "no RTL"

# compile PLACE PARAMS WORDS RTL...
compile() {
  place=$1
  params=$2
  words=$3
  shift 3
  case $simulator in
    icarus)
      "$IVERILOG" -g2012 -f "$params" -s "${block}_tb" -P "${block}_tb.MOST_WORDS=$words" \
        -o "$place/sim" "$@" "$bench"
      ;;
    verilator)
      # Vectors are short: the C++ compiler takes longer than the run, so it does not optimise. One
      # file for all that Verilator writes: its Python package cannot compile them apart.
      # shellcheck disable=SC2086 # options are several words
      "$VERILATOR" --binary -f "$params" --top-module "${block}_tb" -GMOST_WORDS="$words" \
        --Mdir "$place" -o sim -MAKEFLAGS OPT_FAST=-O0 -MAKEFLAGS OPT_SLOW=-O0 \
        -MAKEFLAGS OPT_GLOBAL=-O0 -MAKEFLAGS VM_PARALLEL_BUILDS=0 -MAKEFLAGS PYTHON3=python3 \
        ${VERILATOR_FLAGS:-} "$@" "$bench"
      ;;
  esac >"$place/log" 2>&1
}

status=0
while IFS= read -r folder; do
  # One build serves all folders of its parameters.
  place=$work/$(cksum <"$folder/params.f" | tr ' ' '_')
  words=$(cat "$folder/stimulus.hex" "$folder/expected.hex" 2>/dev/null | wc -l)
  room=32768
  [ "$words" -le "$room" ] || {
    room=$((words))
    place=${place}_$room
  }
  if [ ! -x "$place/sim" ]; then
    mkdir -p "$place"
    compile "$place" "$folder/params.f" "$room" "$@" || {
      cat "$place/log"
      echo "FAIL $block $folder: does not compile"
      exit 2
    }
  fi
  case $simulator in
    icarus) "$VVP" -N "$place/sim" "+folder=$folder" ;;
    verilator) "$place/sim" "+folder=$folder" ;;
  esac >"$work/said" 2>&1 </dev/null
  ended=$?
  # What comes after the verdict is the simulator's own.
  awk '{ print } /^(PASS|FAIL) / { exit }' "$work/said"
  if grep -q '^FAIL ' "$work/said"; then
    status=1
  elif grep -q '^ERROR: ' "$work/said"; then
    # An assertion of the RTL says so in Icarus and lets the run go on.
    echo "FAIL $block $folder: the RTL reports errors, see above"
    status=1
  elif [ "$ended" -ne 0 ] || ! grep -q '^PASS ' "$work/said"; then
    echo "FAIL $block $folder: the simulator ended with status $ended"
    status=1
  fi
done <"$work/folders"
exit "$status"
