"""A collective benchmark over torch.distributed, one rank, with the formulas of nccl-tests.

For machines without nccl-tests or rccl-tests. One line a message size: time of one operation (mean over ranks),
algbw = bytes / time, busbw = algbw × factor, and the number of wrong elements over all ranks. GB = 10⁹ bytes.
`bytes` means what the size column of nccl-tests means; n is the number of ranks:

    all_reduce                  bytes of each rank's buffer            2(n−1)/n
    all_gather                  bytes gathered (n × each rank's part)  (n−1)/n
    reduce_scatter              bytes of each rank's input             (n−1)/n
    alltoall                    bytes that each rank sends in all      (n−1)/n
    gather, scatter             bytes at the root                      (n−1)/n
    broadcast, reduce, sendrecv bytes of the buffer                    1

Like nccl-tests, all_gather and reduce_scatter are measured out of place and in place: the two differ by a tenth.
PyTorch's all_reduce, broadcast and reduce are in place alone.
"""
import argparse
import datetime
import os
import time

import gpuflow_rank as r

FACTOR = {
    "all_reduce": lambda n: 2.0 * (n - 1) / n,
    "all_gather": lambda n: (n - 1.0) / n,
    "reduce_scatter": lambda n: (n - 1.0) / n,
    "alltoall": lambda n: (n - 1.0) / n,
    "gather": lambda n: (n - 1.0) / n,
    "scatter": lambda n: (n - 1.0) / n,
    "broadcast": lambda n: 1.0,
    "reduce": lambda n: 1.0,
    "sendrecv": lambda n: 1.0,
}
WARMUP, ITERATIONS = 5, 20  # as nccl-tests 2.13–2.16 warm up and measure by default
BOTH_FORMS = ("all_gather", "reduce_scatter")
COPIES = 5  # buffers of the message size that one measurement needs at most: pattern, input, output, expectation, comparison


class Operation:
    """One collective at one size: what to run, and what must come out of it."""

    def __init__(self, torch, dist, device, name, elements, in_place=False):
        self.torch, self.dist, self.name, self.in_place = torch, dist, name, in_place
        self.n, self.rank = dist.get_world_size(), dist.get_rank()
        self.part = elements // self.n  # elements of one rank's part where the buffer is made of n parts
        whole = self.part * self.n if name in ("all_gather", "reduce_scatter", "alltoall", "gather", "scatter") else elements
        self.elements = whole
        self.pattern = torch.arange(whole, device=device, dtype=torch.float32).remainder_(127)
        self.expected = None
        getattr(self, "_" + name)()

    def _zeros(self, like):
        return self.torch.zeros_like(like)

    def _of(self, rank, view=None):
        """What a rank contributes: small whole numbers, so that float sums are exact."""
        return (self.pattern if view is None else view) + float(rank)

    def _sum(self, view=None):
        view = self.pattern if view is None else view
        return view * self.n + float(self.n * (self.n - 1) // 2)

    def _parts(self, tensor):
        return list(tensor.split(self.part))

    def _slice(self, index):
        return self.pattern[index * self.part:(index + 1) * self.part]

    def _all_reduce(self):
        self.output, self.expected, self.in_place = self._of(self.rank), self._sum(), True
        self.reset = lambda: self.output.copy_(self.pattern).add_(float(self.rank))
        self.call = lambda: self.dist.all_reduce(self.output)

    def _all_gather(self):
        self.output = self._zeros(self.pattern)
        parts = self._parts(self.output)
        own = parts[self.rank] if self.in_place else self._zeros(self._slice(0))
        self.expected = self.torch.cat([self._of(i, self._slice(0)) for i in range(self.n)])

        def reset():
            self.output.zero_()
            own.copy_(self._slice(0)).add_(float(self.rank))

        self.reset = reset
        if self.dist.get_backend() == "nccl":
            self.call = lambda: self.dist.all_gather_into_tensor(self.output, own)
        else:
            self.call = lambda: self.dist.all_gather(parts, own)

    def _reduce_scatter(self):
        whole = self._of(self.rank)
        self.output = self._parts(whole)[self.rank] if self.in_place else self._zeros(self._slice(0))
        self.expected = self._sum(self._slice(self.rank))

        def reset():
            self.output.zero_()
            whole.copy_(self.pattern).add_(float(self.rank))

        self.reset = reset
        self.call = lambda: self.dist.reduce_scatter_tensor(self.output, whole)

    def _alltoall(self):
        whole = self._of(self.rank)
        self.output, self.in_place = self._zeros(self.pattern), False
        self.expected = self.torch.cat([self._of(i, self._slice(self.rank)) for i in range(self.n)])
        self.call = lambda: self.dist.all_to_all_single(self.output, whole)

    def _gather(self):
        own = self._of(self.rank, self._slice(0))
        self.in_place = False
        self.output = self._zeros(self.pattern) if self.rank == 0 else own
        parts = self._parts(self.output) if self.rank == 0 else None
        self.expected = self.torch.cat([self._of(i, self._slice(0)) for i in range(self.n)]) if self.rank == 0 else own.clone()
        self.call = lambda: self.dist.gather(own, parts, dst=0)

    def _scatter(self):
        parts = self._parts(self._of(0)) if self.rank == 0 else None
        self.output, self.in_place = self._zeros(self._slice(0)), False
        self.expected = self._of(0, self._slice(self.rank))
        self.call = lambda: self.dist.scatter(self.output, parts, src=0)

    def _broadcast(self):
        self.output, self.expected, self.in_place = self._of(self.rank), self._of(0), True
        self.reset = lambda: self.output.copy_(self.pattern).add_(float(self.rank))
        self.call = lambda: self.dist.broadcast(self.output, src=0)

    def _reduce(self):
        self.output, self.in_place = self._of(self.rank), True
        self.expected = self._sum() if self.rank == 0 else None  # only the root's buffer is defined afterwards
        self.reset = lambda: self.output.copy_(self.pattern).add_(float(self.rank))
        self.call = lambda: self.dist.reduce(self.output, dst=0)

    def _sendrecv(self):
        right, left = (self.rank + 1) % self.n, (self.rank - 1) % self.n
        own = self._of(self.rank)
        self.output, self.expected, self.in_place = self._zeros(self.pattern), self._of(left), False

        def ring():
            ops = [self.dist.P2POp(self.dist.isend, own, right), self.dist.P2POp(self.dist.irecv, self.output, left)]
            for work in self.dist.batch_isend_irecv(ops):
                work.wait()

        self.call = ring

    def reset(self):
        self.output.zero_()

    def wrong(self):
        """Elements of this rank that differ from what one operation on fresh input must give."""
        if self.expected is None:
            return 0
        return int((self.output != self.expected).sum().item())


def main():
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("--backend", choices=["nccl", "gloo"], required=True)
    args.add_argument("--op", choices=sorted(FACTOR), required=True)
    args.add_argument("--min", type=int, default=8, help="bytes")
    args.add_argument("--max", type=int, default=2 << 30, help="bytes; less where memory does not allow it")
    args.add_argument("--seconds", type=float, default=120, help="sizes that would start later are left out")
    args.add_argument("--timeout", type=float, default=180)
    options = args.parse_args()

    import torch
    import torch.distributed as dist

    torch.set_num_threads(1)
    device, index = r.choose_device(torch, options.backend)
    r.say("stage", stage="start", pid=os.getpid(), local_rank=r.local_rank(), world=r.world_size(), backend=options.backend, device=index,
          torch=torch.__version__)
    if options.backend == "nccl":
        r.arm_nccl()
    dist.init_process_group(options.backend, timeout=datetime.timedelta(seconds=options.timeout))
    limit = agreed(torch, dist, device, memory_limit(torch, device, options.max), dist.ReduceOp.MIN)
    began, done = time.time(), True
    size = options.min
    while size <= limit:
        if agreed(torch, dist, device, int(time.time() - began > options.seconds), dist.ReduceOp.MAX):
            done = False
            break
        for in_place in (False, True) if options.op in BOTH_FORMS and options.backend == "nccl" else (False,):
            measure(torch, dist, device, options, size, in_place)
        size *= 2
    if dist.get_rank() == 0:
        r.say("end", op=options.op, completed=done, limit=int(limit), asked=options.max,
              why=None if done else "stopped after %g s; larger sizes were left out" % options.seconds)
    dist.destroy_process_group()


def agreed(torch, dist, device, value, how):
    """The same number on every rank: the smallest or largest that any has."""
    shared = torch.tensor([value], dtype=torch.int64, device=device)
    dist.all_reduce(shared, op=how)
    return int(shared.item())


def memory_limit(torch, device, asked):
    """The largest message that fits this device's free memory COPIES times, with a tenth to spare."""
    if device.type != "cuda":
        return asked
    free, _ = torch.cuda.mem_get_info(device)
    return min(asked, int(free * 0.9 / COPIES))


def measure(torch, dist, device, options, size, in_place):
    elements = size // 4
    if elements < dist.get_world_size():
        return  # too small to have a part for each rank
    operation = Operation(torch, dist, device, options.op, elements, in_place)
    operation.reset()
    operation.call()
    wait(torch, device)
    wrong = agreed(torch, dist, device, operation.wrong(), dist.ReduceOp.SUM)
    operation.reset()
    warm = timed(torch, dist, device, operation.call, WARMUP)
    slowest = agreed(torch, dist, device, int(warm * 1e9), dist.ReduceOp.MAX) / 1e9
    iterations = ITERATIONS if slowest * ITERATIONS < 5 else max(1, int(5 / slowest))
    seconds = torch.tensor([timed(torch, dist, device, operation.call, iterations)], dtype=torch.float64, device=device)
    dist.all_reduce(seconds)
    seconds = float(seconds.item()) / dist.get_world_size()
    if dist.get_rank() == 0:
        moved = operation.elements * 4
        algbw = moved / seconds / 1e9
        r.say("row", op=options.op, bytes=moved, count=operation.elements, type="float", iterations=iterations,
              time_us=round(seconds * 1e6, 3), algbw=round(algbw, 4), busbw=round(algbw * FACTOR[options.op](operation.n), 4),
              wrong=wrong, in_place=operation.in_place)


def timed(torch, dist, device, call, iterations):
    """Seconds of one call, as this rank sees it, after all ranks have started together."""
    dist.all_reduce(torch.zeros(1, device=device))
    wait(torch, device)
    if device.type == "cuda":
        start, stop = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        start.record()
        for _ in range(iterations):
            call()
        stop.record()
        stop.synchronize()
        return start.elapsed_time(stop) / 1e3 / iterations
    began = time.perf_counter()
    for _ in range(iterations):
        call()
    return (time.perf_counter() - began) / iterations


def wait(torch, device):
    if device.type == "cuda":
        torch.cuda.synchronize(device)


if __name__ == "__main__":
    r.run(main)
