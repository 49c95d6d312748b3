"""Starts N ranks of a script on this machine without torchrun, for builds of PyTorch whose torchrun does not work.

    python3 gpuflow_launch.py N SCRIPT ARGS…

Exit status: 0 when every rank exits 0, else that of the first rank that failed (128 + signal for a signal).
"""
import os
import signal
import socket
import subprocess
import sys
import time

GRACE = 10  # seconds the other ranks get to report after one has failed, and again after SIGTERM


def main():
    count, command = int(sys.argv[1]), sys.argv[2:]
    os.environ.setdefault("RANK", "-1")  # the launcher's own report lines
    import gpuflow_rank as r

    r.die_with_parent()
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as s:
        s.bind(("127.0.0.1", 0))
        port = s.getsockname()[1]
    ranks = []
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        for rank in range(count):
            env = dict(os.environ, RANK=str(rank), LOCAL_RANK=str(rank), WORLD_SIZE=str(count), LOCAL_WORLD_SIZE=str(count),
                       MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port), USE_LIBUV="0")
            env.setdefault("OMP_NUM_THREADS", "1")
            ranks.append(subprocess.Popen([sys.executable, "-u"] + command, env=env))
        return watch(ranks, r)
    finally:
        end(ranks)


def watch(ranks, r):
    """Waits for all; once one has failed, for GRACE seconds more."""
    told, status, until = set(), 0, None
    while len(told) < len(ranks) and (until is None or time.time() < until):
        for rank, process in enumerate(ranks):
            code = process.poll()
            if code is None or rank in told:
                continue
            told.add(rank)
            r.say("exit", of=rank, code=code)
            if code != 0 and status == 0:
                status = code if code > 0 else 128 - code
                until = time.time() + GRACE
        time.sleep(0.05)
    return status


def end(ranks):
    for how in (signal.SIGTERM, signal.SIGKILL):
        for process in ranks:
            if process.poll() is None:
                process.send_signal(signal.SIGCONT)
                process.send_signal(how)
        until = time.time() + GRACE
        while time.time() < until and any(process.poll() is None for process in ranks):
            time.sleep(0.05)


if __name__ == "__main__":
    sys.exit(main())
