#!/usr/bin/env python3
"""A small data-parallel training job in which one fault can be planted.

FAULT=NAME BAD=RANK torchrun --nproc_per_node=N train.py      (BACKEND=gloo runs it without a GPU)
With no FAULT it trains eight steps and ends well. The faults are the functions of class Faults, each with what it does.
"""
import ctypes
import datetime
import faulthandler
import os
import resource
import signal
import sys
import time

faulthandler.enable()
FAULT = os.environ.get("FAULT", "")
RANK, WORLD = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
LOCAL = int(os.environ.get("LOCAL_RANK", RANK))
BAD = RANK in [int(r) for r in os.environ.get("BAD", str(WORLD - 1)).split(",")]
BACKEND = os.environ.get("BACKEND", "nccl")
AT = int(os.environ.get("AT_STEP", "3"))
if FAULT == "import_error" and BAD:
    import a_module_that_is_not_installed  # noqa: F401

import torch  # noqa: E402
import torch.distributed as dist  # noqa: E402

CUDA = BACKEND == "nccl"
DEVICE = torch.device("cuda", 0 if FAULT == "dup_gpu" else LOCAL) if CUDA else torch.device("cpu")


def log(*words):
    print(f"[train rank {RANK}]", *words, flush=True)


class StuckData(torch.utils.data.Dataset):
    """Loading one sample never ends, in one worker of the bad rank."""

    def __len__(self):
        return 64

    def __getitem__(self, index):
        if FAULT == "stuck_data_worker" and BAD and index == AT * 4:
            time.sleep(3600)
        return torch.ones(1024)


class Faults:
    """What the bad rank does at step AT. Each returns True when the step's own collective is to be left out."""

    def __init__(self, groups):
        self.groups = groups

    def skip(self):
        """leaves out the all_reduce of this step"""
        return True

    def early_return(self):
        """ends normally while the others go on"""
        log("finished")
        sys.stdout.flush()
        os._exit(0)

    def shape(self):
        """all-reduces twice as many elements"""
        dist.all_reduce(torch.ones(2048, device=DEVICE))
        return True

    def dtype(self):
        """all-reduces the same number of elements in another type"""
        dist.all_reduce(torch.ones(1024, device=DEVICE, dtype=torch.float64))
        return True

    def kind(self):
        """calls all_gather where the others all-reduce"""
        dist.all_gather([torch.ones(1024, device=DEVICE) for _ in range(WORLD)], torch.ones(1024, device=DEVICE))
        return True

    def extra(self):
        """issues one all_reduce more than the others"""
        dist.all_reduce(torch.ones(333, device=DEVICE))

    def order(self):
        """swaps two all_reduces of different size (the others run them in the other order)"""
        dist.all_reduce(torch.ones(512, device=DEVICE))
        dist.all_reduce(torch.ones(1024, device=DEVICE))
        return True

    def crossed_groups(self):
        """uses two groups of the same ranks in the other order"""
        dist.all_reduce(torch.ones(1024, device=DEVICE), group=self.groups[1])
        torch.cuda.synchronize() if CUDA else None
        dist.all_reduce(torch.ones(1024, device=DEVICE), group=self.groups[0])
        return True

    def both_send(self):
        """sends first, as its neighbour does too, and receives afterwards"""

    def recv_unsent(self):
        """waits for a message that nobody sends"""
        dist.recv(torch.ones(1 << 22, device=DEVICE), src=(RANK + 1) % WORLD)
        torch.cuda.synchronize() if CUDA else None

    def stuck_data_worker(self):
        """its data worker never returns a batch (see StuckData)"""

    def gil(self):
        """calls into C without releasing the GIL"""
        log("calling into a C library")
        ctypes.PyDLL(None).sleep(3600)

    def endless_kernel(self):
        """starts a kernel on its device that does not end, before the collective"""
        torch.cuda._sleep(1 << 62)

    def spin(self):
        """spins in Python"""
        while True:
            pass

    def sleep(self):
        """sleeps, as a slow checkpoint does"""
        log("saving checkpoint")
        time.sleep(3600)

    def raise_error(self):
        """raises ValueError"""
        raise ValueError("bad sample at index 1234")

    def out_of_memory(self):
        """allocates until CUDA is out of memory"""
        keep = []
        while True:
            keep.append(torch.ones(1 << 30, device=DEVICE))

    def killed(self):
        """is ended by SIGKILL"""
        os.kill(os.getpid(), signal.SIGKILL)

    def stopped(self):
        """is stopped by SIGSTOP"""
        os.kill(os.getpid(), signal.SIGSTOP)

    def segfault(self):
        """crashes in native code"""
        ctypes.string_at(0)

    def exit_code(self):
        """calls sys.exit(3)"""
        sys.exit(3)

    def device_assert(self):
        """indexes out of range on the device"""
        torch.ones(8, device=DEVICE)[torch.tensor([99], device=DEVICE)].sum().item()

    def few_files(self):
        """may open hardly any more files, and opens some"""
        resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
        keep = [open("/dev/null") for _ in range(200)]
        log(len(keep))

    def disk_full(self):
        """saves a checkpoint to a full disk"""
        log("saving checkpoint")
        torch.save({"w": torch.ones(1 << 20)}, os.environ.get("FULL_DISK", "/dev/full"))


def main():
    timeout = datetime.timedelta(seconds=float(os.environ.get("PG_TIMEOUT", "12")))
    if CUDA:
        torch.cuda.set_device(DEVICE)
    dist.init_process_group(BACKEND, timeout=timeout)
    groups = [dist.new_group(list(range(WORLD)), timeout=timeout) for _ in range(2)]
    faults = Faults(groups)
    x = torch.ones(1024, device=DEVICE)
    if FAULT == "slow_rank0" and RANK == 0:
        log("tokenizing the dataset")
        time.sleep(3600)
    for group in [None, *groups]:
        dist.all_reduce(x, group=group)
    dist.barrier()
    log("warmup done")
    if FAULT == "param_mismatch":
        torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(8, 9 if BAD else 8).to(DEVICE))
    if FAULT == "unused_parameters":
        unused()
    loader = iter(torch.utils.data.DataLoader(StuckData(), batch_size=4, num_workers=1 if FAULT == "stuck_data_worker" else 0))
    steps = 8
    if FAULT == "uneven_batches" and BAD:
        steps = 5
    for step in range(steps):
        next(loader)
        left_out = False
        if step == AT and FAULT == "both_send":
            pair()
        if step == AT and not BAD and FAULT == "order":
            dist.all_reduce(torch.ones(1024, device=DEVICE))
            dist.all_reduce(torch.ones(512, device=DEVICE))
            left_out = True
        if step == AT and not BAD and FAULT == "crossed_groups":
            dist.all_reduce(torch.ones(1024, device=DEVICE), group=groups[0])
            torch.cuda.synchronize() if CUDA else None
            dist.all_reduce(torch.ones(1024, device=DEVICE), group=groups[1])
            left_out = True
        if step == AT and BAD and hasattr(faults, FAULT):
            left_out = bool(getattr(faults, FAULT)())
        if not left_out:
            dist.all_reduce(torch.ones(1024, device=DEVICE))
        if CUDA:
            torch.cuda.synchronize()
        log("step", step)
    log("finished")
    dist.barrier()
    dist.destroy_process_group()


def pair():
    """Neighbours (0,1), (2,3) … both send before they receive; large messages can't be buffered."""
    other = RANK ^ 1
    if other >= WORLD:
        return
    message = torch.ones(1 << 24, device=DEVICE)
    dist.send(message, other)
    if CUDA:
        torch.cuda.synchronize()
    dist.recv(message, other)
    if CUDA:
        torch.cuda.synchronize()


def unused():
    """A DDP model one layer of which takes no part in the loss."""

    class Model(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.used, self.left = torch.nn.Linear(8, 8), torch.nn.Linear(8, 8)

        def forward(self, x):
            return self.used(x)

    model = torch.nn.parallel.DistributedDataParallel(Model().to(DEVICE))
    for _ in range(3):
        model(torch.ones(4, 8, device=DEVICE)).sum().backward()


main()
