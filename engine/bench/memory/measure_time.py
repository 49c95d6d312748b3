#!/usr/bin/env python3
"""Times real training steps of causal language models and what their communication takes; one JSON object a line, from rank 0.

torchrun --standalone --nproc-per-node=N measure_time.py [--out rows.jsonl] [--only WORD] [--seconds 400]

One launch runs all cases, so that a lent machine is not spent on start-up: first the collectives by message size (what: bus), then the training
steps (what: step): single (each rank for itself), ddp, ddp-nosync (DDP that never reduces: what the step costs without communication), fsdp2,
fsdp2-noreshard. Run it twice, as it is and with NCCL_P2P_DISABLE=1, for two transports.

Of a step: step_s (median wall time of the optimizer step over the unprofiled steps, slowest rank), and from one profiled step: busy_s (time in which
the GPU ran any kernel), compute_s (any kernel but NCCL's), comm (per collective: calls, seconds, where a call counts as long as on the rank that came
to it last, so that waiting for others is not counted), comm_s (their sum) and exposed_s (time in NCCL kernels while nothing else ran).
Needs torch >= 2.6 and transformers; downloads nothing. Without a GPU it runs the first tiny case over gloo, to test itself; that measures nothing.
"""
import argparse
import contextlib
import gc
import json
import os
import statistics
import sys
import tempfile
import time

import torch
import torch.distributed as dist

LLAMA = dict(model_type="llama", hidden_act="silu", max_position_embeddings=32768, tie_word_embeddings=False)
MODELS = {
    "tiny": dict(LLAMA, hidden_size=64, num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2, intermediate_size=128, vocab_size=256),
    "160m": dict(LLAMA, hidden_size=768, num_hidden_layers=12, num_attention_heads=12, num_key_value_heads=12, intermediate_size=3072, vocab_size=32000),
    "1.1b": dict(LLAMA, hidden_size=2048, num_hidden_layers=22, num_attention_heads=32, num_key_value_heads=4, intermediate_size=5632, vocab_size=32000),
    "3.2b": dict(LLAMA, hidden_size=3072, num_hidden_layers=28, num_attention_heads=24, num_key_value_heads=8, intermediate_size=8192, vocab_size=128256),
    "8b": dict(LLAMA, hidden_size=4096, num_hidden_layers=32, num_attention_heads=32, num_key_value_heads=8, intermediate_size=14336, vocab_size=128256),
    "qwen2-1.5b": dict(model_type="qwen2", hidden_act="silu", max_position_embeddings=32768, tie_word_embeddings=True, hidden_size=1536,
                       num_hidden_layers=28, num_attention_heads=12, num_key_value_heads=2, intermediate_size=8960, vocab_size=151936),
}
# model, strategy, micro-batch, sequence length, precision, recompute, accumulation; the important ones first, since time may end
CASES = [
    ("1.1b", "single", 4, 2048, "mixed", False, 1),
    ("1.1b", "ddp", 4, 2048, "mixed", False, 1),
    ("1.1b", "ddp-nosync", 4, 2048, "mixed", False, 1),
    ("1.1b", "fsdp2", 4, 2048, "mixed", False, 1),
    ("1.1b", "fsdp2-noreshard", 4, 2048, "mixed", False, 1),
    ("3.2b", "single", 2, 2048, "bf16", False, 1),
    ("3.2b", "ddp", 2, 2048, "bf16", False, 1),
    ("3.2b", "fsdp2", 2, 2048, "mixed", False, 1),
    ("3.2b", "fsdp2", 2, 2048, "bf16", False, 1),
    ("8b", "fsdp2", 1, 4096, "mixed", True, 1),
    ("8b", "fsdp2", 2, 2048, "bf16", False, 1),
    ("1.1b", "ddp", 2, 2048, "mixed", False, 4),
    ("1.1b", "fsdp2", 2, 2048, "mixed", False, 4),
    ("qwen2-1.5b", "ddp", 4, 2048, "bf16", False, 1),
    ("qwen2-1.5b", "fsdp2", 4, 2048, "mixed", False, 1),
    ("1.1b", "ddp", 8, 2048, "bf16", True, 1),
    ("1.1b", "ddp", 1, 2048, "mixed", False, 1),
    ("160m", "ddp", 8, 2048, "mixed", False, 1),
    ("8b", "fsdp2-noreshard", 1, 2048, "bf16", False, 1),
    ("3.2b", "fsdp2", 1, 8192, "bf16", True, 1),
]
SIZES = [2**p for p in range(12, 31, 2)] + [2**31]
GPU = torch.cuda.is_available()


def wait():
    if GPU:
        torch.cuda.synchronize()


def everyone(value):
    values = [None] * dist.get_world_size()
    dist.all_gather_object(values, value)
    return values


def bus(device, world):
    """Time and bus bandwidth (GB/s, as nccl-tests defines it) of a collective by message size in bytes (its S)."""
    for op in ("all_reduce", "all_gather", "reduce_scatter"):
        for size in SIZES if GPU else SIZES[:3]:
            whole = torch.zeros(size // 4, device=device)
            part = whole.chunk(world)[dist.get_rank()]
            call = {
                "all_reduce": lambda: dist.all_reduce(whole),
                "all_gather": lambda: dist.all_gather_into_tensor(whole, part),
                "reduce_scatter": lambda: dist.reduce_scatter_tensor(part, whole),
            }[op]
            count = 20 if size < 2**26 else 6
            for _ in range(3):
                call()
            wait()
            dist.barrier()
            begin = time.perf_counter()
            for _ in range(count):
                call()
            wait()
            seconds = max(everyone((time.perf_counter() - begin) / count))
            factor = 2 * (world - 1) / world if op == "all_reduce" else (world - 1) / world
            yield dict(what="bus", op=op, bytes=size, time_us=round(seconds * 1e6, 2), busbw=round(factor * size / seconds / 1e9, 2))
            del whole, part


def length(intervals):
    total, end = 0.0, float("-inf")
    for a, b in sorted(intervals):
        total += max(0.0, b - max(a, end))
        end = max(end, b)
    return total


def kernels(profile):
    """GPU work of the trace: (name, begin, end) in seconds."""
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        profile.export_chrome_trace(file.name)
        events = json.load(open(file.name))["traceEvents"]
    for e in events:
        if e.get("cat") in ("kernel", "gpu_memcpy", "gpu_memset"):
            yield e["name"], e["ts"] / 1e6, (e["ts"] + e["dur"]) / 1e6


def kind(name):
    for word in ("AllReduce", "AllGather", "ReduceScatter", "SendRecv", "Broadcast"):
        if word in name:
            return word
    return "other"


def communication(profile):
    work = sorted(kernels(profile), key=lambda k: k[1])
    # The barrier with which the profiled step begins is no part of it.
    barrier = next((i for i, k in enumerate(work) if k[0].startswith("nccl")), -1)
    work = work[barrier + 1 :]
    nccl = [(n, a, b) for n, a, b in work if n.startswith("nccl")]
    compute = [(a, b) for n, a, b in work if not n.startswith("nccl")]
    mine = {}
    for name, a, b in sorted(nccl, key=lambda k: k[1]):
        mine.setdefault(kind(name), []).append(b - a)
    comm = {}
    ranks = everyone(mine)
    for name in sorted(mine):
        calls = [r.get(name, []) for r in ranks]
        if all(len(c) == len(calls[0]) for c in calls):
            comm[name] = dict(calls=len(calls[0]), seconds=round(sum(map(min, zip(*calls))), 6))
        else:
            comm[name] = dict(calls=max(map(len, calls)), seconds=round(min(map(sum, calls)), 6))
    busy, alone = length([(a, b) for _, a, b in work]), length(compute)
    return dict(comm=comm, comm_s=round(sum(c["seconds"] for c in comm.values()), 6), exposed_s=round(min(everyone(busy - alone)), 6),
                busy_s=round(busy, 6), compute_s=round(alone, 6), kernels=len(work))


def wrap(model, strategy, precision, rank):
    if strategy.startswith("ddp"):
        return torch.nn.parallel.DistributedDataParallel(model, device_ids=[rank] if GPU else None)
    if strategy.startswith("fsdp2"):
        from torch.distributed.fsdp import MixedPrecisionPolicy, fully_shard

        policy = MixedPrecisionPolicy(param_dtype=torch.bfloat16, reduce_dtype=torch.float32) if precision == "mixed" else MixedPrecisionPolicy()
        reshard = strategy == "fsdp2"
        for layer in next(m for m in model.modules() if isinstance(m, torch.nn.ModuleList)):
            fully_shard(layer, mp_policy=policy, reshard_after_forward=reshard)
        fully_shard(model, mp_policy=policy, reshard_after_forward=reshard)
    return model


def step(wrapped, optimizer, tokens, strategy, cast, accumulation):
    for micro in range(accumulation):
        last = micro == accumulation - 1 and strategy != "ddp-nosync"
        if strategy.startswith("fsdp2"):
            wrapped.set_requires_gradient_sync(last)
        quiet = wrapped.no_sync() if strategy.startswith("ddp") and not last else contextlib.nullcontext()
        with quiet:
            with torch.autocast(tokens.device.type, torch.bfloat16, enabled=cast):
                loss = wrapped(input_ids=tokens, labels=tokens).loss / accumulation
            loss.backward()
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)


def measure(case, device, rank, world, steps):
    from transformers import AutoConfig, AutoModelForCausalLM

    name, strategy, batch, seq, precision, recompute, accumulation = case
    raw = dict(MODELS[name])
    config = AutoConfig.for_model(raw.pop("model_type"), **raw)
    config.use_cache = False
    with torch.device(device):
        model = AutoModelForCausalLM.from_config(config, attn_implementation="sdpa", dtype=torch.bfloat16 if precision == "bf16" else torch.float32)
    model.train()
    row = dict(what="step", model=name, strategy=strategy, mbs=batch, seq=seq, precision=precision, recompute=recompute, accumulation=accumulation,
               optimizer="adamw", attention="sdpa", world=1 if strategy == "single" else world, params=sum(p.numel() for p in model.parameters()))
    if recompute:
        model.gradient_checkpointing_enable(gradient_checkpointing_kwargs={"use_reentrant": False})
    wrapped = wrap(model, strategy, precision, rank)
    optimizer = torch.optim.AdamW(wrapped.parameters(), lr=1e-5)
    tokens = torch.randint(0, config.vocab_size, (batch, seq), device=device)
    cast = precision == "mixed" and not strategy.startswith("fsdp2")
    times = []
    for _ in range(steps):
        wait()
        dist.barrier()
        begin = time.perf_counter()
        step(wrapped, optimizer, tokens, strategy, cast, accumulation)
        wait()
        times.append(time.perf_counter() - begin)
    row["step_s"] = round(max(everyone(statistics.median(times[2:]))), 6)
    row["steps_s"] = [round(t, 4) for t in times]
    activities = [torch.profiler.ProfilerActivity.CUDA] if GPU else [torch.profiler.ProfilerActivity.CPU]
    with torch.profiler.profile(activities=activities) as profile:
        dist.barrier()
        wait()
        step(wrapped, optimizer, tokens, strategy, cast, accumulation)
        wait()
    row.update(communication(profile))
    if GPU:
        row["peak_alloc_gib"] = round(torch.cuda.max_memory_allocated() / 2**30, 4)
    return row


def main():
    a = argparse.ArgumentParser()
    a.add_argument("--out", help="also append the rows to this file")
    a.add_argument("--only", default="", help="only cases in whose description this word is")
    a.add_argument("--seconds", type=float, default=400, help="begin no case after this many seconds")
    a.add_argument("--steps", type=int, default=7)
    o = a.parse_args()
    begin = time.monotonic()
    rank, world = int(os.environ["LOCAL_RANK"]), int(os.environ["WORLD_SIZE"])
    device = torch.device("cuda", rank) if GPU else torch.device("cpu")
    if GPU:
        torch.cuda.set_device(rank)
    dist.init_process_group("nccl" if GPU else "gloo", **(dict(device_id=device) if GPU else {}))
    common = dict(torch=torch.__version__, gpu=torch.cuda.get_device_name(rank) if GPU else "none",
                  env={k: v for k, v in sorted(os.environ.items()) if k.startswith("NCCL_")})
    out = open(o.out, "a") if o.out and rank == 0 else None

    def put(row):
        if rank == 0:
            line = json.dumps({**row, **common})
            print(line, flush=True)
            if out:
                print(line, file=out, flush=True)

    if not o.only or "bus" in o.only:
        for row in bus(device, world):
            put(row)
    for case in CASES if GPU else [("tiny", s, 2, 32, "mixed", False, k) for s in ("single", "ddp", "fsdp2") for k in (1, 2)]:
        if o.only and o.only not in " ".join(map(str, case)):
            continue
        # All ranks must agree, or the last case hangs.
        if max(everyone(time.monotonic() - begin)) > o.seconds:
            put(dict(what="left out", case=case))
            continue
        try:
            row = measure(case, device, rank, world, o.steps)
        except torch.cuda.OutOfMemoryError:
            # The other rank waits in a collective: nothing more can be run in this group.
            print(json.dumps(dict(what="oom", case=case)), flush=True)
            os._exit(1)
        put(row)
        gc.collect()
        if GPU:
            torch.cuda.empty_cache()
            torch.cuda.reset_peak_memory_stats()
    dist.destroy_process_group()


if __name__ == "__main__":
    sys.exit(main())
