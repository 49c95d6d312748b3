#!/usr/bin/env python3
"""Speed and memory of `gpuflow diagnose` on a large log, beside ripgrep with the same texts on the same file.

scan.py GPUFLOW [megabytes] [runs] [ranks]     (GPUFLOW: ./gpuflow of a clone or of the unpacked archive)
The log is one that ranks (64) write into by turns. Each pair is run on all processors and, by taskset, on one.
Both search for every text of rules/signatures; gpuflow also knows prefixes, patterns and lines, and judges. The file is
read once before, so that both find it in the page cache; runs alternate. Processor time is told beside the wall time,
because ripgrep searches a single file with one thread.
"""
import os
import random
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

gpuflow = os.path.abspath(sys.argv[1])
megabytes = int(sys.argv[2]) if len(sys.argv) > 2 else 2048
runs = int(sys.argv[3]) if len(sys.argv) > 3 else 5
ranks = int(sys.argv[4]) if len(sys.argv) > 4 else 64
if shutil.which("rg") is None:
    sys.exit("scan.py: ripgrep (rg) is not installed")
home = os.path.dirname(gpuflow)
work = tempfile.mkdtemp(dir=os.environ.get("TMPDIR"))

texts = set()
for name in sorted(os.listdir(f"{home}/rules/signatures")):
    with open(f"{home}/rules/signatures/{name}", encoding="utf-8") as file:
        for quoted in re.findall(r"\{ text: '((?:[^']|'')*)'", file.read()):
            texts.add(quoted.replace("''", "'"))
with open(f"{work}/texts", "w", encoding="utf-8") as file:
    file.write("\n".join(sorted(texts)) + "\n")

rng = random.Random(1)
block = []
while sum(map(len, block)) < 1 << 20:
    rank = rng.randrange(ranks)
    block.append(
        f"[rank{rank}]: 2026-01-01 10:00:{rng.randrange(60):02} iteration {rng.randrange(100000)}/ 100000 | consumed samples: "
        f"{rng.randrange(10**8)} | elapsed time per iteration (ms): {rng.random() * 900:.1f} | lm loss: {rng.random():.6E} |\n"
    )
block = "".join(block).encode()
log = f"{work}/job.log"
with open(log, "wb") as file:
    for _ in range(megabytes):
        file.write(block)
    file.write(b"[rank3]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.\n")
with open(log, "rb") as file:
    while file.read(1 << 24):
        pass

commands = {
    "gpuflow diagnose": [gpuflow, "diagnose", "--json", log],
    "rg -c -F -f": ["rg", "-c", "-F", "-f", f"{work}/texts", log],
}
if shutil.which("taskset"):
    for name in list(commands):
        commands[f"{name}, one core"] = ["taskset", "-c", "0", *commands[name]]
wall = {name: [] for name in commands}
processor = {name: [] for name in commands}
memory = 0
try:
    for _ in range(runs):
        for name, argv in commands.items():
            start = time.perf_counter()
            child = subprocess.Popen(argv, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            _, _, usage = os.wait4(child.pid, 0)
            wall[name].append(time.perf_counter() - start)
            processor[name].append(usage.ru_utime + usage.ru_stime)
            if name.startswith("gpuflow"):
                memory = max(memory, usage.ru_maxrss)
finally:
    shutil.rmtree(work)
size = os.sysconf("SC_NPROCESSORS_ONLN")
print(f"{megabytes} MB, {len(texts)} texts, {ranks} ranks, {size} processors, medians of {runs}")
for name in commands:
    print(f"{name:26} {statistics.median(wall[name]):6.2f} s wall  {statistics.median(processor[name]):6.2f} s processor")
for more in ("", ", one core"):
    pair = [f"gpuflow diagnose{more}", f"rg -c -F -f{more}"]
    if pair[0] in commands:
        print(f"speed beside rg{more}: {statistics.median(wall[pair[1]]) / statistics.median(wall[pair[0]]):.2f} x")
print(f"gpuflow: largest resident set {memory // 1024} MB")
