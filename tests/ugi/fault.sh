#!/bin/sh
# A UGI engine that goes wrong in the way its argument says.
while read -r word rest; do
    case "$word" in
    ugi)
        echo "id name fault"
        echo "ugiok"
        ;;
    isready)
        echo "readyok"
        [ "$1" = deaf ] && sleep 1000
        ;;
    go)
        case "$1" in
        silent) ;;
        crash)
            echo "out of ideas" >&2
            exit 3
            ;;
        illegal) echo "bestmove E5E" ;;
        noise) while :; do echo "info depth 1"; done ;;
        garbage)
            printf '\377\376\n'
            echo "bestmove"
            echo "bestmove $(head -c 500 /dev/zero | tr '\0' x)"
            ;;
        closed)
            exec 1>&-
            sleep 1000
            ;;
        esac
        ;;
    quit) exit 0 ;;
    esac
done
