#!/usr/bin/env python3
"""Start-up of the packed form, as medians and as multiples of an empty Java main of the same runtime.

startup.py target/pack/gpuflow-VERSION [runs]     (build it first: mvn package)
The commands alternate within a round, so that a slow moment of the machine meets all of them.
"""
import os
import statistics
import subprocess
import sys
import tempfile
import time

home = os.path.abspath(sys.argv[1])
runs = int(sys.argv[2]) if len(sys.argv) > 2 else 15
here = os.path.dirname(os.path.abspath(__file__))
samples = os.path.join(here, "..", "samples")
work = tempfile.mkdtemp()
with open(f"{work}/Empty.java", "w") as source:
    source.write("public class Empty { public static void main(String[] a) {} }")
subprocess.run(["javac", "--release", "17", "-d", work, f"{work}/Empty.java"], check=True)
log = f"{work}/job.log"
with open(log, "w") as text:
    text.write("step 1 loss 2.0\nstep 2 loss 1.9\n" * 50)
flags = ["-Xmx2g", "-XX:+UseSerialGC", "-XX:-UsePerfData", "-XX:TieredStopAtLevel=1"]
gpuflow = f"{home}/gpuflow"
commands = {
    "empty Java main": ([f"{home}/runtime/bin/java", *flags, "-cp", work, "Empty"], None),
    "--version": ([gpuflow, "--version"], 1.7),
    "--help": ([gpuflow, "--help"], 1.7),
    "facts --json FILE": ([gpuflow, "facts", "--json", f"{samples}/topo-m/h200x2.out"], 3.5),
    "diagnose small log": ([gpuflow, "diagnose", log], 4.5),
}
times = {name: [] for name in commands}
for _ in range(runs + 1):
    for name, (argv, _) in commands.items():
        start = time.perf_counter()
        subprocess.run(argv, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=work)
        times[name].append(time.perf_counter() - start)
floor = statistics.median(times["empty Java main"][1:])
for name, (_, limit) in commands.items():
    median = statistics.median(times[name][1:])
    bound = f"  (target <= {limit} x)" if limit else ""
    print(f"{name:20} {median * 1000:7.0f} ms  {median / floor:5.2f} x{bound}")
