#!/bin/sh
# The engine whose program is the first argument, but its third move is none.
moves=0
"$1" engine random | while read -r line; do
    case "$line" in
    bestmove*)
        moves=$((moves + 1))
        [ "$moves" = 3 ] && line="bestmove E5E"
        ;;
    esac
    echo "$line"
done
