#!/bin/sh
# OBJCACHE of Verilator's makefiles, as ccache is: keeps the objects of Verilator's own runtime in
# the folder CONGRUENT_OBJECTS, since they are the same in every build and take most of its time.
#   objcache.sh c++ OPTION... -o OBJECT SOURCE
set -u
for source; do :; done
case $source in
  */include/verilated*.cpp) ;;
  *) exec "$@" ;;
esac
kept=$CONGRUENT_OBJECTS/$(echo "$*" | cksum | tr ' ' '_').o
object=$(basename "$source" .cpp).o
if [ ! -f "$kept" ]; then
  "$@" || exit
  # Two builds may come here at once: the object appears whole.
  cp "$object" "$kept.$$" && mv "$kept.$$" "$kept"
else
  cp "$kept" "$object"
fi
