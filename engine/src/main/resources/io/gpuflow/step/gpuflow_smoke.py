"""The DDP smoke test, one rank: does every rank come up on its own device, sum right and train together?

Started by torchrun or by gpuflow_launch.py, which set RANK, LOCAL_RANK, WORLD_SIZE, MASTER_ADDR, MASTER_PORT.
Stages, each reported when this rank has passed it: start, init, first-collective, sum, train, done.
"""
import argparse
import datetime
import os
import socket
import sys
import time

import gpuflow_rank as r


def main():
    args = argparse.ArgumentParser(description=__doc__)
    args.add_argument("--backend", choices=["nccl", "gloo"], required=True, help="nccl is also RCCL")
    args.add_argument("--timeout", type=float, default=180, help="seconds a collective may take before torch gives up")
    options = args.parse_args()

    r.say("python", version=sys.version.split()[0], pid=os.getpid(), host=socket.gethostname())
    import torch
    import torch.distributed as dist

    r.say("torch", version=torch.__version__, cuda=torch.version.cuda, hip=getattr(torch.version, "hip", None))
    torch.manual_seed(0)
    torch.set_num_threads(1)
    device, index = r.choose_device(torch, options.backend)
    bus_id, uuid = (None, None) if index is None else r.device_ids(torch, index)
    visible = torch.cuda.device_count() if index is not None else 0
    r.say("stage", stage="start", pid=os.getpid(), local_rank=r.local_rank(), world=r.world_size(), backend=options.backend,
          device=index, bus_id=bus_id, uuid=uuid, visible=visible,
          gpu=None if index is None else torch.cuda.get_device_name(index))

    if options.backend == "nccl":
        r.arm_nccl()
    dist.init_process_group(options.backend, timeout=datetime.timedelta(seconds=options.timeout))
    if dist.get_rank() != r.rank() or dist.get_world_size() != r.world_size():
        raise RuntimeError("rank %d of %d came up as rank %d of %d" % (r.rank(), r.world_size(), dist.get_rank(), dist.get_world_size()))
    r.say("stage", stage="init")
    first_collective(torch, dist, device)
    right = patterned_sum(torch, dist, device)
    if not right:
        raise RuntimeError("all_reduce of a patterned buffer came out wrong: data is corrupted on the way")
    r.say("stage", stage="sum")
    train(torch, dist, device)
    r.say("stage", stage="train")
    dist.destroy_process_group()
    r.say("stage", stage="done")


def first_collective(torch, dist, device):
    """0 + 1 + … + (n−1) over all ranks. Here NCCL makes its connections."""
    world = dist.get_world_size()
    total = torch.tensor([dist.get_rank()], dtype=torch.int64, device=device)
    began = time.time()
    dist.all_reduce(total)
    value = int(total.item())  # waits for the device
    expected = world * (world - 1) // 2
    r.say("stage", stage="first-collective", seconds=round(time.time() - began, 3))
    r.say("sum", value=value, expected=expected)
    if value != expected:
        raise RuntimeError("the sum of all ranks is %d, should be %d" % (value, expected))


def patterned_sum(torch, dist, device):
    """All-reduces 16 MiB whose every element is known: a peer mapping that copies but corrupts shows here."""
    world, rank = dist.get_world_size(), dist.get_rank()
    pattern = torch.arange(4 * 1024 * 1024, device=device, dtype=torch.float32).remainder_(251)
    data = pattern * (rank + 1)
    dist.all_reduce(data)
    wrong = int((data != pattern * (world * (world + 1) // 2)).sum().item())
    r.say("pattern", bytes=data.numel() * 4, wrong=wrong)
    return wrong == 0


def train(torch, dist, device):
    """A tiny DDP training: every sample seen by exactly one rank in each epoch, loss falls, weights stay equal."""
    from torch.nn.parallel import DistributedDataParallel
    from torch.utils.data import DataLoader, TensorDataset
    from torch.utils.data.distributed import DistributedSampler

    world, rank = dist.get_world_size(), dist.get_rank()
    size = 32 * world
    x = torch.arange(size, dtype=torch.float32).reshape(size, 1) / size
    data = TensorDataset(x, 3 * x + 1, torch.arange(size))
    sampler = DistributedSampler(data, shuffle=True, seed=0)
    loader = DataLoader(data, batch_size=8, sampler=sampler)
    ddp = DistributedDataParallel(torch.nn.Linear(1, 1).to(device), device_ids=[device.index] if device.type == "cuda" else None)
    optimizer = torch.optim.SGD(ddp.parameters(), lr=0.1)
    orders, losses = [], []
    for epoch in range(4):
        sampler.set_epoch(epoch)
        seen, total = [], 0.0
        for inputs, targets, ids in loader:
            optimizer.zero_grad()
            loss = ((ddp(inputs.to(device)) - targets.to(device)) ** 2).mean()
            loss.backward()
            optimizer.step()
            seen.extend(ids.tolist())
            total += float(loss.item())
        orders.append(seen)
        losses.append(total / len(loader))
    counts = torch.bincount(torch.tensor(orders[-1]), minlength=size).to(device)
    dist.all_reduce(counts)
    flat = torch.cat([p.detach().reshape(-1) for p in ddp.parameters()]).double()
    low, high = flat.clone(), flat.clone()
    dist.all_reduce(low, op=dist.ReduceOp.MIN)
    dist.all_reduce(high, op=dist.ReduceOp.MAX)
    complete = bool((counts == 1).all().item())
    equal = bool(torch.equal(low, high))
    r.say("train", samples_complete=complete, weights_equal=equal, reshuffled=orders[0] != orders[1],
          loss_first=round(losses[0], 6), loss_last=round(losses[-1], 6))
    if not complete:
        raise RuntimeError("the ranks did not see every sample exactly once")
    if not equal:
        raise RuntimeError("the weights differ between ranks after training")
    if not losses[-1] < losses[0]:
        raise RuntimeError("the loss did not fall: %g to %g" % (losses[0], losses[-1]))


if __name__ == "__main__":
    r.run(main)
