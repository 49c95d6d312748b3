#!/usr/bin/env python3
"""Trains a causal language model with DistributedDataParallel. Written by gpuflow advise; yours to change.

@RUN@
Global batch: @BATCH_WORDS@.
"""
import argparse
import contextlib
import json
import os
import time
from collections import namedtuple
from types import SimpleNamespace

import torch
import torch.distributed as dist
from torch import nn

@COMMON@

def main():
    o = arguments()
    rank, world, local = (int(os.environ.get(k, d)) for k, d in (("RANK", 0), ("WORLD_SIZE", 1), ("LOCAL_RANK", 0)))
    device = torch.device("cuda", local) if GPU else torch.device("cpu")
    if GPU:
        torch.cuda.set_device(device)
    if world > 1:
        dist.init_process_group("nccl" if GPU else "gloo")
    if world != WORLD and rank == 0:
        print(f"made for {WORLD} ranks, running on {world}: the global batch is {MICRO_BATCH * ACCUMULATION * world}, not @GLOBAL_BATCH@", flush=True)
    torch.manual_seed(0)  # the same weights on every rank
    model = build_model(o.tiny, device)
    vocab = model.config.vocab_size
    model.train()
    if world > 1:
        # gradient_as_bucket_view=True would save the memory of one copy of the gradients.
        wrapped = nn.parallel.DistributedDataParallel(model, device_ids=[local] if GPU else None)
    else:
        wrapped = model
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
            # Gradients are reduced once a step, with the last micro-step.
            quiet = wrapped.no_sync() if world > 1 and micro < ACCUMULATION - 1 else contextlib.nullcontext()
            with quiet:
                with torch.autocast(device.type, COMPUTE, enabled=PRECISION == "mixed" or (PRECISION == "fp16" and GPU)):
                    loss = wrapped(input_ids=tokens, labels=tokens).loss / ACCUMULATION
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
    if world > 1:
        dist.destroy_process_group()


if __name__ == "__main__":
    main()
