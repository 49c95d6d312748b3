#!/usr/bin/env python3
"""Plants faults in small real jobs and keeps what each leaves behind: job.log, Flight Recorder dumps, RAS, nvidia-smi, stacks' state.

plant.py OUT [--world N] [--jobs J] [--faults a,b,c] [--backend nccl|gloo] [--bad R[,R…]] [--limit SECONDS] [--gpuflow PROGRAM]
OUT/NAME/{job.log,exit.txt,ras.txt,smi.txt,proc.txt,fr/nccl_trace_rank_*,torchfrtrace.txt,case.yaml}; no fault is planted in NAME 'healthy'.
With --gpuflow, OUT/NAME/live.json is what `PROGRAM diagnose --ras` says of the job while it hangs.
"""
import argparse
import concurrent.futures
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
# name: (cause, also right, whether every rank may be named, environment)
FAULTS = {
    "healthy": ("none", [], {}),
    "skip": ("collective-mismatch", ["rank-did-not-join", "rank-exited-early"], {}),
    "early_return": ("rank-exited-early", ["rank-did-not-join", "uneven-inputs"], {}),
    "uneven_batches": ("rank-exited-early", ["uneven-inputs", "rank-did-not-join", "collective-mismatch"], {}),
    "shape": ("tensor-shape-mismatch", [], {}),
    "dtype": ("tensor-dtype-mismatch", ["tensor-shape-mismatch"], {}),
    "kind": ("collective-mismatch", [], {}),
    "extra": ("collective-mismatch", ["tensor-shape-mismatch"], {}),
    "order": ("collective-order-mismatch", ["collective-mismatch", "tensor-shape-mismatch"], {}),
    "crossed_groups": ("collective-order-mismatch", ["collective-mismatch"], {}),
    "both_send": ("p2p-deadlock", [], {}),
    "recv_unsent": ("p2p-deadlock", ["rank-did-not-join", "collective-mismatch"], {}),
    "stuck_data_worker": ("dataloader-deadlock", ["rank-did-not-join"], {}),
    "gil": ("watchdog-heartbeat-stall", ["rank-did-not-join"], {"TORCH_NCCL_HEARTBEAT_TIMEOUT_SEC": "30"}),
    "endless_kernel": ("gpu-kernel-hang", [], {}),
    "spin": ("rank-did-not-join", [], {}),
    "sleep": ("slow-checkpoint", ["rank-did-not-join"], {}),
    "slow_rank0": ("slow-rank0-preprocessing", ["rank-did-not-join"], {"BAD": "0"}),
    "raise_error": ("rank-exception", [], {}),
    "out_of_memory": ("rank-oom", [], {}),
    "killed": ("rank-killed", [], {}),
    "stopped": ("rank-stopped", ["rank-did-not-join"], {}),
    "segfault": ("rank-segfault", [], {}),
    "exit_code": ("rank-exited-early", ["rank-exception"], {}),
    "device_assert": ("device-side-assert", [], {}),
    "few_files": ("nofile-limit", [], {}),
    "disk_full": ("disk-full", [], {}),
    "dup_gpu": ("duplicate-gpu", [], {}),
    "import_error": ("import-error", ["rank-exception"], {}),
    "param_mismatch": ("ddp-param-mismatch", [], {}),
    "unused_parameters": ("ddp-unused-parameters", [], {}),
    "no_interface": ("socket-ifname-not-found", [], {"NCCL_SOCKET_IFNAME": "nosuch0", "FAULT": ""}),
    "p2p_off": ("none", ["slow-transport"], {"NCCL_P2P_DISABLE": "1", "FAULT": ""}),
}


def ras(port):
    try:
        with socket.create_connection(("localhost", port), timeout=2) as s:
            s.settimeout(8)
            s.sendall(b"CLIENT PROTOCOL 2\nTIMEOUT 5\nVERBOSE STATUS\n")
            data = b""
            while True:
                part = s.recv(65536)
                if not part:
                    return data.decode(errors="replace")
                data += part
    except OSError as e:
        return f"no answer: {e}\n"


def descendants(root):
    children = {}
    for p in pathlib.Path("/proc").iterdir():
        if p.name.isdigit():
            try:
                children.setdefault(int((p / "stat").read_text().rsplit(")", 1)[1].split()[1]), []).append(int(p.name))
            except OSError:
                pass
    found, queue = [], [root]
    while queue:
        for c in children.get(queue.pop(), []):
            found.append(c)
            queue.append(c)
    return found


def proc_state(pids):
    lines = []
    for pid in pids:
        try:
            p = pathlib.Path(f"/proc/{pid}")
            env = dict(v.split("=", 1) for v in (p / "environ").read_text().split("\0") if "=" in v)
            state = (p / "stat").read_text().rsplit(")", 1)[1].split()[0]
            wchan = (p / "wchan").read_text()
            lines.append(f"pid {pid} rank {env.get('RANK', '-')} state {state} wchan {wchan} cmd {(p / 'comm').read_text().strip()}")
        except OSError:
            pass
    return "\n".join(lines) + "\n"


def plant(name, out, args, slot):
    cause, also, extra = FAULTS[name]
    folder = out / name
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "fr").mkdir(parents=True)
    port = 29600 + slot
    rasport = 28100 + slot
    env = dict(os.environ, BACKEND=args.backend, FAULT="" if name == "healthy" else name, TORCH_NCCL_DUMP_ON_TIMEOUT="1", TORCH_FR_BUFFER_SIZE="2000",
               TORCH_NCCL_TRACE_BUFFER_SIZE="2000", TORCH_NCCL_DEBUG_INFO_TEMP_FILE=f"{folder}/fr/nccl_trace_rank_", TORCH_FR_DUMP_TEMP_FILE=f"{folder}/fr/nccl_trace_rank_",
               NCCL_RAS_ADDR=f"localhost:{rasport}", PYTHONUNBUFFERED="1", OMP_NUM_THREADS="1", TORCH_NCCL_ENABLE_MONITORING="1")
    if args.bad:
        env["BAD"] = args.bad
    env.update(extra)
    argv = [sys.executable, "-m", "torch.distributed.run", f"--nproc_per_node={args.world}", "--master_addr=127.0.0.1", f"--master_port={port}", "--monitor_interval=0.1", str(HERE / "train.py")]
    begin = time.time()
    with open(folder / "job.log", "wb") as log:
        job = subprocess.Popen(argv, env=env, stdout=log, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, start_new_session=True)
        seen = False
        while job.poll() is None and time.time() - begin < args.limit:
            time.sleep(0.25)
            text = (folder / "job.log").read_text(errors="replace")
            # A hang shows as silence: look at the ranks well before the watchdog ends them.
            if not seen and time.time() - max((folder / "job.log").stat().st_mtime, begin) > 7 and ("warmup done" in text or time.time() - begin > 20):
                seen = True
                (folder / "proc.txt").write_text(proc_state(descendants(job.pid)))
                if args.backend == "nccl":
                    (folder / "ras.txt").write_text(ras(rasport))
                    if args.gpuflow:
                        asked = subprocess.run([args.gpuflow, "diagnose", "--json", "--ras", f"localhost:{rasport}"], capture_output=True, text=True)
                        (folder / "live.json").write_text(asked.stdout or asked.stderr)
                    (folder / "smi.txt").write_text(subprocess.run(["nvidia-smi"], capture_output=True, text=True).stdout)
        timed_out = job.poll() is None
        for pid in [*descendants(job.pid), job.pid]:
            try:
                os.kill(pid, signal.SIGCONT)
                os.kill(pid, signal.SIGKILL)
            except OSError:
                pass
        job.wait()
    (folder / "exit.txt").write_text(f"{'killed after the limit' if timed_out else job.returncode} after {time.time() - begin:.0f} s\n")
    dumps = sorted((folder / "fr").glob("nccl_trace_rank_*"))
    if dumps:
        t = time.time()
        try:
            p = subprocess.run(["torchfrtrace", str(folder / "fr"), "-p", "nccl_trace_rank_"], capture_output=True, text=True, timeout=60)
            text = p.stdout + p.stderr
        except (OSError, subprocess.TimeoutExpired) as e:
            text = str(e)
        (folder / "torchfrtrace.txt").write_text(text + f"\n[{time.time() - t:.2f} s]\n")
    else:
        shutil.rmtree(folder / "fr", ignore_errors=True)
    bad = int((extra.get("BAD") or args.bad or str(args.world - 1)).split(",")[0])
    rank = "" if cause == "none" or name in ("dup_gpu", "no_interface", "unused_parameters", "both_send") else f"  rank: {bad}\n"
    (folder / "case.yaml").write_text(f"what: planted fault {name}\nworld: {args.world}\nexpect:\n  cause: {cause}\n  also_ok: [{', '.join(also)}]\n{rank}")
    return name, (folder / "exit.txt").read_text().strip(), len(dumps)


def main():
    a = argparse.ArgumentParser()
    a.add_argument("out", type=pathlib.Path)
    a.add_argument("--world", type=int, default=2)
    a.add_argument("--jobs", type=int, default=4)
    a.add_argument("--faults", default=",".join(FAULTS))
    a.add_argument("--backend", default="nccl")
    a.add_argument("--bad", default="")
    a.add_argument("--limit", type=float, default=75)
    a.add_argument("--gpuflow", metavar="PROGRAM")
    args = a.parse_args()
    names = args.faults.split(",")
    # Heavy ones last and alone: they disturb the devices of the others.
    alone = [n for n in names if n in ("endless_kernel", "out_of_memory", "device_assert")]
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for done in pool.map(lambda p: plant(p[1], args.out, args, p[0]), enumerate([n for n in names if n not in alone])):
            print(*done, flush=True)
    for i, name in enumerate(alone):
        print(*plant(name, args.out, args, 90 + i), flush=True)


main()
