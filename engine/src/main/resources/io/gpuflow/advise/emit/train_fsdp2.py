#!/usr/bin/env python3
"""Trains a causal language model with FSDP2 (fully_shard). Written by gpuflow advise; yours to change. Needs torch >= 2.6.

@RUN@
Global batch: @BATCH_WORDS@.
"""
import argparse
import json
import os
import time
from collections import namedtuple
from types import SimpleNamespace

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import @OFFLOAD_IMPORT@MixedPrecisionPolicy, fully_shard

SHARD = @SHARD@  # ranks that divide the states among them
RESHARD = @RESHARD@  # free the gathered weights after the forward pass and gather them again in the backward pass
@COMMON@

def shard(model, world):
    """Divides every layer by itself, so that one layer's weights are gathered while another computes, then the rest."""
    device = "cuda" if GPU else "cpu"
    if SHARD < world and world % SHARD == 0:
        # Divided inside a group, copied across groups (HSDP): the outer dimension copies.
        mesh = init_device_mesh(device, (world // SHARD, SHARD), mesh_dim_names=("replicate", "shard"))
    else:
        mesh = init_device_mesh(device, (world,), mesh_dim_names=("shard",))
    mixed = MixedPrecisionPolicy(param_dtype=COMPUTE, reduce_dtype=torch.float32) if PRECISION in ("mixed", "fp16") else MixedPrecisionPolicy()
    options = dict(mesh=mesh, mp_policy=mixed, reshard_after_forward=RESHARD@OFFLOAD_OPTION@)
    layers = max((m for m in model.modules() if isinstance(m, nn.ModuleList)), key=len)
    for layer in layers:
        fully_shard(layer, **options)
    return fully_shard(model, **options)


def main():
    o = arguments()
    rank, world, local = (int(os.environ.get(k, d)) for k, d in (("RANK", 0), ("WORLD_SIZE", 1), ("LOCAL_RANK", 0)))
    device = torch.device("cuda", local) if GPU else torch.device("cpu")
    if GPU:
        torch.cuda.set_device(device)
    dist.init_process_group(@BACKEND@)
    if world != WORLD and rank == 0:
        print(f"made for {WORLD} ranks, running on {world}: the global batch is {MICRO_BATCH * ACCUMULATION * world}, not @GLOBAL_BATCH@", flush=True)
    torch.manual_seed(0)  # the same weights on every rank before they are divided
    model = build_model(o.tiny, @BUILD_DEVICE@)
    vocab = model.config.vocab_size
    model.train()
    shard(model, world)
    if GPU:
        torch.cuda.empty_cache()
    steppers = optimizers(model)
    scaler = loss_scaler()
    data = batches(vocab, MICRO_BATCH, 32 if o.tiny else SEQ, rank, world, device)
    losses, times = [], []
    for _ in range(o.steps):
        if GPU:
            torch.cuda.synchronize()
        begin = time.perf_counter()
        total = 0.0
        for micro in range(ACCUMULATION):
            tokens = next(data)
@SYNC@            loss = model(input_ids=tokens, labels=tokens).loss / ACCUMULATION
            scaler.scale(loss).backward()
            total += loss.detach()
        for optimizer in steppers:
            scaler.step(optimizer)
        scaler.update()
        for optimizer in steppers:
            optimizer.zero_grad(set_to_none=True)
        losses.append(float(total))  # waits for the GPU
        times.append(time.perf_counter() - begin)
    report(o, rank, losses, times)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
