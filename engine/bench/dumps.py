#!/usr/bin/env python3
"""Speed and memory of `gpuflow diagnose` on the Flight Recorder dumps of large jobs.

dumps.py GPUFLOW [ranks ...] [--entries N] [--runs N] [--beside torchfrtrace]     (GPUFLOW: ./gpuflow of a clone or of the unpacked archive)
Makes the dumps of jobs of dp x tp groups (tp 8) in which one rank stopped outside any collective, as pickles with the keys of format 2.10, and
times the verdict; with several sizes, the cost a rank shows whether it grows linearly. PyTorch's analyzer finishes on these dumps (it gives up
where a group disagrees more than ten times) and names the rank too, so that the two do the same work.
"""
import argparse
import json
import os
import pickle
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

parser = argparse.ArgumentParser()
parser.add_argument("gpuflow")
parser.add_argument("ranks", nargs="*", type=int)
parser.add_argument("--entries", type=int, default=2000)
parser.add_argument("--runs", type=int, default=1, help="of each; the median counts")
parser.add_argument("--beside", metavar="PROGRAM", help="PyTorch's analyzer, timed on the same dumps, 600 s at most")
options = parser.parse_args()
TP = 8

def dump(rank, ranks, entries, absent):
    """What a rank had recorded when its job hung: `absent` stopped in its data loader inside the last step, before the tp group's fifth collective of it.

    A step is nine collectives over tp and a dp one, and the host waits for the device at its end. So the absent rank has no more entries; its
    tp group completed the four collectives before; every other tp group completed its step's; no dp group completed, since each has a member in the tp group that waits.
    """
    tp = [rank // TP * TP + i for i in range(TP)]
    dp = list(range(rank % TP, ranks, TP))
    groups = {"0": ("default_pg", list(range(ranks))), "1": ("mesh_tp", tp), "2": ("mesh_dp", dp)}
    names = {"0": "0", "1": f"tp{rank // TP}", "2": f"dp{rank % TP}"}
    frames = [
        {"name": "all_reduce", "filename": "/opt/venv/lib/python3.12/site-packages/torch/distributed/distributed_c10d.py", "line": 2810},
        {"name": "step", "filename": "/app/train.py", "line": 120},
        {"name": "main", "filename": "/app/train.py", "line": 210},
    ]
    made = []
    count = {"0": 0, "1": 0, "2": 0}
    completed = {"0": 0, "1": 0, "2": 0}
    last_step = (entries - 1) // 10 * 10
    for i in range(entries):
        group = "2" if i % 10 == 9 else "1"
        waits = i >= last_step and (group == "2" or absent in tp and i % 10 >= 4)
        if waits and rank == absent:
            break
        count[group] += 1
        completed[group] += not waits
        shard, whole = [[4096 // TP, 1024 + i % 7]], [[4096, 1024 + i % 7]]
        kind, before, after = (
            ("all_reduce", whole, whole) if group == "2" else ("_all_gather_base", shard, whole) if i % 2 else ("_reduce_scatter_base", whole, shard)
        )
        made.append(
            {
                "frames": frames,
                "record_id": i,
                "pg_id": int(group),
                "process_group": (names[group], groups[group][0]),
                "collective_seq_id": count[group],
                "p2p_seq_id": 0,
                "op_id": count[group],
                "profiling_name": f"nccl:{kind}",
                "time_created_ns": 1764430000000000000 + i * 1000000,
                "input_sizes": before,
                "input_dtypes": ["BFloat16"],
                "output_sizes": after,
                "output_dtypes": ["BFloat16"],
                "state": "scheduled" if waits else "completed",
                "time_discovered_started_ns": None,
                "time_discovered_completed_ns": None if waits else 1764430000000000000 + i * 1000000 + 500000,
                "retired": not waits,
                "timeout_ms": 600000,
                "is_p2p": False,
                "thread_id": "140",
                "thread_name": "python",
            }
        )
    config = {names[g]: {"name": names[g], "desc": d, "ranks": str(r)} for g, (d, r) in groups.items()}
    status = {
        g: {"last_enqueued_collective": count[g] or -1, "last_started_collective": -1, "last_completed_collective": completed[g] or -1} for g in groups
    }
    return {"version": "2.10", "comm_lib_version": "2.28.9", "pg_config": config, "pg_status": status, "entries": made}


print(f"{options.entries} entries a rank, {os.sysconf('SC_NPROCESSORS_ONLN')} processors")
for ranks in options.ranks or [64, 256, 1024]:
    folder = tempfile.mkdtemp(dir=os.environ.get("TMPDIR"))
    try:
        size = 0
        for rank in range(ranks):
            with open(f"{folder}/nccl_trace_rank_{rank}", "wb") as file:
                pickle.dump(dump(rank, ranks, options.entries, ranks // 2), file, protocol=2)
                size += file.tell()
        walls = []
        for _ in range(options.runs):
            start = time.perf_counter()
            child = subprocess.Popen([options.gpuflow, "diagnose", "--json", folder], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            answer = json.loads(child.stdout.read())
            _, _, usage = os.wait4(child.pid, 0)
            walls.append(time.perf_counter() - start)
        wall = statistics.median(walls)
        root = next((f for f in answer["findings"] if f["role"] == "root"), {})
        print(
            f"{ranks:5} ranks {size / 1e6:7.0f} MB  {wall:6.2f} s wall  {usage.ru_utime + usage.ru_stime:6.2f} s processor"
            f"  {wall / ranks * 1000:5.1f} ms a rank  {usage.ru_maxrss // 1024} MB"
            f"  said {root.get('cause')} {root.get('ranks')}, {'right' if root.get('ranks') == [ranks // 2] else 'WRONG'}",
            flush=True,
        )
        if options.beside:
            others = []
            for _ in range(options.runs):
                start = time.perf_counter()
                try:
                    other = subprocess.run([options.beside, folder, "-p", "nccl_trace_rank_"], capture_output=True, text=True, timeout=600)
                except subprocess.TimeoutExpired:
                    print(f"      {os.path.basename(options.beside)}: more than 600 s")
                    break
                others.append(time.perf_counter() - start)
            else:
                took = statistics.median(others)
                said = (other.stdout + other.stderr).splitlines()
                line = next((line for line in said if "missing ranks" in line or "Too many" in line or "Error" in line), (said or [""])[-1])
                print(f"      {os.path.basename(options.beside)}: {took:.2f} s, {took / wall:.1f} times as long, exit {other.returncode}: {line[:100]}", flush=True)
    finally:
        shutil.rmtree(folder)
