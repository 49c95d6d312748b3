#!/usr/bin/env python3
"""What a `gpuflow run` adds to the time of its tools: medians of pairs, on an idle machine.

run.py FOLDER [runs]     FOLDER: the unpacked packed form, or a clone that is built
A pair is the tools alone and gpuflow running the same, one after the other, so that a slow moment meets both. Replays have no
tools: there all the time is gpuflow's own. Beside the time stands the processor time, which other work on the machine does not change.
"""
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time

home = os.path.abspath(sys.argv[1])
runs = int(sys.argv[2]) if len(sys.argv) > 2 else 11
work = tempfile.mkdtemp()
recording = f"{home}/examples/h200x2-live/recording"
flows = {
    "one tool": "  - { id: wait, cmd: [sleep, '1'] }\n",
    "five tools, four side by side": "".join(
        f"  - {{ id: wait{i}, cmd: [sleep, '0.5'], effect: read }}\n" for i in range(4)
    )
    + "  - { id: last, after: all, sh: 'sleep 0.5' }\n",
}
for name, steps in flows.items():
    with open(f"{work}/{name}.yaml", "w") as flow:
        flow.write("gpuflow: 1\nsteps:\n" + steps)
gpuflow = [f"{home}/gpuflow", "run"]
pairs = {
    "one tool of 1 s": (["sleep", "1"], [*gpuflow, f"{work}/one tool.yaml"]),
    "five tools of 0.5 s": (["sh", "-c", "sleep 0.5; sleep 0.5"], [*gpuflow, f"{work}/five tools, four side by side.yaml"]),
    "setup.yaml, replayed": (None, [*gpuflow, "workflows/setup.yaml", "--machine", recording]),
}


def measure(argv):
    if argv is None:
        return 0.0, 0.0
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    subprocess.run(argv, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=work)
    wall = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


added = {name: [] for name in pairs}
for _ in range(runs + 1):
    for name, (alone, run) in pairs.items():
        tools, tools_cpu = measure(alone)
        wall, cpu = measure(run)
        added[name].append((wall - tools, cpu - tools_cpu))
print(f"{'':22} {'added':>8} {'best':>8} {'processor':>10}   load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
for name, values in added.items():
    walls = [wall for wall, _ in values[1:]]
    cpu = statistics.median(cpu for _, cpu in values[1:])
    print(f"{name:22} {statistics.median(walls) * 1000:6.0f}ms {min(walls) * 1000:6.0f}ms {cpu * 1000:8.0f}ms   (target <= 500 ms added)")
