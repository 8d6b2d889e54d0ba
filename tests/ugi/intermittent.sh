#!/bin/sh
# The engine whose program is the first argument, but its third move is none, once: as long as the file exists that is the
# second argument.
moves=0
"$1" engine random | while read -r line; do
    case "$line" in
    bestmove*)
        moves=$((moves + 1))
        [ "$moves" = 3 ] && rm "$2" 2>/dev/null && line="bestmove E5E"
        ;;
    esac
    echo "$line"
done
