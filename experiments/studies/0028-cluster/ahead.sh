#!/bin/bash
# Two small runs of Connect Four for each seed, alike but for selfplay.ahead, and a match between their last checkpoints.
# usage: ahead.sh CHASE FOLDER GENERATIONS PAIRS SEED...
set -e
chase=$1 folder=$2 generations=$3 pairs=$4
shift 4
for seed in "$@"; do
  for ahead in 0 1; do
    [ -d "$folder/seed-$seed-ahead-$ahead" ] || "$chase" train configs/connect-four.toml --seed "$seed" --threads 1 --quiet \
      --run-dir "$folder/seed-$seed-ahead-$ahead" --set selfplay.ahead=$ahead --set limits.generations="$generations" \
      --set network.blocks=2 --set network.channels=16 --set search.simulations=8 --set selfplay.games=64 \
      --set selfplay.group_games=64 --set measurement.every=0 --set evaluation.every=0 --set precision=f32
  done
  "$chase" match "ahead-1=net:$folder/seed-$seed-ahead-1,simulations=8" "ahead-0=net:$folder/seed-$seed-ahead-0,simulations=8" \
    --game connect-four --pairs "$pairs" --openings random:plies=4 --threads 1 --seed "$seed" --run-dir "$folder/match-$seed" --json
  echo
done
