"""Speeds of the Python package beside those of the engine alone, in turns; prints JSON. See README.md."""

import argparse
import json
import statistics
import subprocess
import time
from pathlib import Path

import chase_rl
import numpy as np

GAMES = ["chase", "connect-four"]


def steps(name, count, seconds, *, threads, observations):
    """Steps of all games together a second, the choice of random actions left out of the time."""
    environment = chase_rl.VectorEnv(chase_rl.load_game(name), count, seed=1, threads=threads, observations=observations)
    spent, done = 0.0, 0
    while spent < seconds:
        actions = environment.random_actions()
        start = time.perf_counter()
        environment.step(actions)
        spent += time.perf_counter() - start
        done += count
    return done / spent


def pgx_steps(count, seconds):
    """The same for Connect Four in pgx, on the CPU; its choice of random actions is in the time, compiled with the step."""
    import jax
    import pgx
    from pgx.experimental import auto_reset

    environment = pgx.make("connect_four")
    step = auto_reset(environment.step, environment.init)

    @jax.jit
    def act(state, key):
        logits = jax.numpy.where(state.legal_action_mask, 0.0, -jax.numpy.inf)
        return jax.vmap(step)(state, jax.random.categorical(key, logits), jax.random.split(key, count))

    state = jax.jit(jax.vmap(environment.init))(jax.random.split(jax.random.PRNGKey(1), count))
    keys = jax.random.split(jax.random.PRNGKey(2), 1000)
    state = jax.block_until_ready(act(state, keys[0]))
    start, done = time.perf_counter(), 0
    while time.perf_counter() - start < seconds:
        state = act(state, keys[done % 1000])
        jax.block_until_ready(state)
        done += 1
    return done * count / (time.perf_counter() - start)


def simulations(name, evaluate, games, number):
    """Simulations of all searches together a second, on one thread."""
    states = [chase_rl.load_game(name).new_initial_state()] * games
    start = time.perf_counter()
    results = chase_rl.search(states, evaluate, simulations=number, threads=1)
    return sum(result.simulations for result in results) / (time.perf_counter() - start)


def constant(name):
    """An evaluator in Python that costs next to nothing: it says the same of everything."""
    size = chase_rl.load_game(name).num_distinct_actions()
    policy, value = np.zeros((4096, size), dtype=np.float32), np.full((4096, 3), 1 / 3, dtype=np.float32)
    return lambda planes: (policy[: len(planes)], value[: len(planes)])


def agent_share(games, number):
    """The built-in agent in numpy: evaluations a second, and the part of the search's time that is the network's."""
    agent, spent, asked = chase_rl.load_agent(), 0.0, 0

    def evaluate(planes):
        nonlocal spent, asked
        start = time.perf_counter()
        answer = agent(planes)
        spent += time.perf_counter() - start
        asked += len(planes)
        return answer

    states = [agent.game.new_initial_state()] * games
    start = time.perf_counter()
    chase_rl.search(states, evaluate, simulations=number, threads=1)
    total = time.perf_counter() - start
    return asked / total, spent / total


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("engine", help="the program of the example lock_step")
    parser.add_argument("--envs", type=int, default=4096)
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--pgx", help="a Python with pgx and chase-rl, to measure pgx in")
    parser.add_argument("--only-pgx", action="store_true", help="print one rate of pgx")
    options = parser.parse_args()
    if options.only_pgx:
        print(pgx_steps(options.envs, options.seconds))
        return
    rounds = []
    for _ in range(options.rounds):
        command = [options.engine, str(options.envs), str(options.seconds)]
        found = {"engine": json.loads(subprocess.run(command, check=True, capture_output=True).stdout)}
        for threads in (1, 2):
            found[f"vector, {threads} threads"] = {
                name: {
                    "rules": steps(name, options.envs, options.seconds, threads=threads, observations=False),
                    "planes": steps(name, options.envs, options.seconds, threads=threads, observations=True),
                }
                for name in GAMES
            }
        if options.pgx:
            command = [options.pgx, __file__, "-", "--only-pgx", "--envs", str(options.envs)]
            out = subprocess.run([*command, "--seconds", str(options.seconds)], check=True, capture_output=True).stdout
            found["pgx"] = {"connect-four": {"planes": float(out)}}
        found["search"] = {
            name: {
                "all in Rust": simulations(name, "uniform", 64, 200),
                "Python evaluates": simulations(name, constant(name), 64, 200),
            }
            for name in GAMES
        }
        evaluations, share = agent_share(64, 20)
        found["agent"] = {"numpy": {"evaluations": evaluations, "share": share}}
        rounds.append(found)
    first = rounds[0]
    table = {
        f"{what}: {name}: {kind}": [one[what][name][kind] for one in rounds]
        for what in first
        for name in first[what]
        for kind in first[what][name]
    }
    library = next(Path(chase_rl.__file__).parent.glob("_native*"))
    print(json.dumps({"library_bytes": library.stat().st_size, "rounds": table}, indent=1))
    for what, values in table.items():
        print(f"# {what}: {statistics.median(values):.4g} ({min(values):.4g} … {max(values):.4g})")


if __name__ == "__main__":
    main()
