#!/usr/bin/env python3
"""Runs a few real training steps of a causal language model and prints what they cost, one JSON object on rank 0.

torchrun --standalone --nproc_per_node=N measure_step.py --config config.json --strategy single|ddp|fsdp2|fsdp2-noreshard
  --micro-batch B --seq S --precision fp32|mixed|bf16|fp16 --optimizer adamw|adamw-fused|adam8bit|sgd|sgd-momentum|adafactor|lion|muon
  [--recompute] [--attention sdpa|eager] [--steps 4] [--accumulation 1]

mixed: fp32 weights under bf16 autocast (for fsdp2: fp32 shards, bf16 computation). bf16: everything in bf16.
fp16: fp32 weights under fp16 autocast with a gradient scaler.
Peaks are of torch's caching allocator, GiB (2^30). Needs torch >= 2.4 and transformers; downloads nothing.
"""
import argparse
import json
import os
import statistics
import time

import torch


class Lion(torch.optim.Optimizer):
    """Plain Lion: one momentum a parameter (Chen et al., 2023)."""

    def __init__(self, params, lr=1e-4, betas=(0.9, 0.99)):
        super().__init__(params, dict(lr=lr, betas=betas))

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            b1, b2 = group["betas"]
            for p in group["params"]:
                if p.grad is None:
                    continue
                state = self.state[p]
                if not state:
                    state["m"] = torch.zeros_like(p)
                m = state["m"]
                p.add_(m.mul(b1).add_(p.grad, alpha=1 - b1).sign_(), alpha=-group["lr"])
                m.mul_(b2).add_(p.grad, alpha=1 - b2)


def optimizer_of(name, model):
    params = [p for p in model.parameters() if p.requires_grad]
    if name == "adamw":
        return [torch.optim.AdamW(params, lr=1e-5)]
    if name == "adamw-fused":
        return [torch.optim.AdamW(params, lr=1e-5, fused=True)]
    if name == "sgd":
        return [torch.optim.SGD(params, lr=1e-4)]
    if name == "sgd-momentum":
        return [torch.optim.SGD(params, lr=1e-4, momentum=0.9)]
    if name == "adam8bit":
        import bitsandbytes

        return [bitsandbytes.optim.AdamW8bit(params, lr=1e-5)]
    if name == "adafactor":
        return [torch.optim.Adafactor(params, lr=1e-4)]
    if name == "lion":
        return [Lion(params)]
    if name == "muon":
        matrices = [p for n, p in model.named_parameters() if p.ndim == 2 and "embed" not in n and "lm_head" not in n]
        ids = {id(p) for p in matrices}
        return [torch.optim.Muon(matrices, lr=1e-3), torch.optim.AdamW([p for p in params if id(p) not in ids], lr=1e-5)]
    raise SystemExit(f"unknown optimizer {name}")


def main():
    a = argparse.ArgumentParser()
    a.add_argument("--config", required=True)
    a.add_argument("--strategy", default="single")
    a.add_argument("--micro-batch", type=int, default=1)
    a.add_argument("--seq", type=int, default=2048)
    a.add_argument("--precision", default="mixed")
    a.add_argument("--optimizer", default="adamw")
    a.add_argument("--recompute", action="store_true")
    a.add_argument("--attention", default="sdpa")
    a.add_argument("--steps", type=int, default=4)
    a.add_argument("--accumulation", type=int, default=1, help="micro-steps in an optimizer step")
    a.add_argument("--name", default="")
    a.add_argument("--trace", action="store_true", help="also report the peak of each phase of the last step")
    o = a.parse_args()
    rank, world = int(os.environ.get("LOCAL_RANK", 0)), int(os.environ.get("WORLD_SIZE", 1))
    torch.cuda.set_device(rank)
    device = torch.device("cuda", rank)
    if world > 1:
        torch.distributed.init_process_group("nccl", device_id=device)
    from transformers import AutoConfig, AutoModelForCausalLM

    raw = json.load(open(o.config))
    config = AutoConfig.for_model(raw.pop("model_type"), **raw)
    config.use_cache = False
    dtype = torch.bfloat16 if o.precision == "bf16" else torch.float32
    row = dict(model=o.name or config.model_type, strategy=o.strategy, mbs=o.micro_batch, seq=o.seq, recompute=o.recompute, precision=o.precision,
               optimizer=o.optimizer, attention=o.attention, accumulation=o.accumulation, world=world, torch=torch.__version__)
    try:
        with torch.device(device):
            model = AutoModelForCausalLM.from_config(config, attn_implementation=o.attention, dtype=dtype)
        model.train()
        import transformers

        row["transformers"] = transformers.__version__
        row["params"] = sum(p.numel() for p in model.parameters())
        if o.recompute:
            model.gradient_checkpointing_enable(gradient_checkpointing_kwargs={"use_reentrant": False})
        wrapped = model
        if o.strategy == "ddp":
            wrapped = torch.nn.parallel.DistributedDataParallel(model, device_ids=[rank])
        elif o.strategy.startswith("fsdp2"):
            from torch.distributed.fsdp import MixedPrecisionPolicy, fully_shard

            policy = MixedPrecisionPolicy(param_dtype=torch.bfloat16, reduce_dtype=torch.float32) if o.precision == "mixed" else MixedPrecisionPolicy()
            reshard = o.strategy == "fsdp2"
            for layer in next(m for n, m in model.named_modules() if isinstance(m, torch.nn.ModuleList)):
                fully_shard(layer, mp_policy=policy, reshard_after_forward=reshard)
            fully_shard(model, mp_policy=policy, reshard_after_forward=reshard)
        torch.cuda.empty_cache()
        optimizers = optimizer_of(o.optimizer, model)
        tokens = torch.randint(0, config.vocab_size, (o.micro_batch, o.seq), device=device)
        cast = o.precision in ("mixed", "fp16") and not o.strategy.startswith("fsdp2")
        half = torch.float16 if o.precision == "fp16" else torch.bfloat16
        scaler = torch.amp.GradScaler("cuda", enabled=o.precision == "fp16")
        times, phases = [], {}
        for step in range(o.steps):
            last = step == o.steps - 1 and o.trace
            torch.cuda.synchronize()
            begin = time.perf_counter()

            def mark(phase):
                if last:
                    torch.cuda.synchronize()
                    phases[phase] = round(torch.cuda.max_memory_allocated() / 2**30, 4)
                    phases[phase + "_end"] = round(torch.cuda.memory_allocated() / 2**30, 4)
                    torch.cuda.reset_peak_memory_stats()

            if last:
                row["peak_before_trace"] = torch.cuda.max_memory_allocated() / 2**30
                phases["start"] = round(torch.cuda.memory_allocated() / 2**30, 4)
                torch.cuda.reset_peak_memory_stats()
            for micro in range(o.accumulation):
                if o.strategy == "ddp":
                    wrapped.require_backward_grad_sync = micro == o.accumulation - 1
                with torch.autocast("cuda", half, enabled=cast):
                    loss = wrapped(input_ids=tokens, labels=tokens).loss
                mark("forward")
                scaler.scale(loss / o.accumulation).backward()
                mark("backward")
            for optimizer in optimizers:
                scaler.step(optimizer)
            scaler.update()
            mark("step")
            for optimizer in optimizers:
                optimizer.zero_grad(set_to_none=True)
            torch.cuda.synchronize()
            times.append(time.perf_counter() - begin)
        peak = torch.cuda.max_memory_allocated() / 2**30
        if o.trace:
            row["phases"] = phases
            peak = max(row.pop("peak_before_trace"), *(v for k, v in phases.items() if not k.endswith("_end")))
        free, total = torch.cuda.mem_get_info()
        row.update(peak_alloc_gib=peak, peak_reserved_gib=torch.cuda.max_memory_reserved() / 2**30,
                   device_used_gib=(total - free) / 2**30, step_s=statistics.median(times[1:]))
    except torch.cuda.OutOfMemoryError:
        row["oom"] = True
    if rank == 0:
        print(json.dumps(row), flush=True)
    if world > 1 and not row.get("oom"):
        torch.distributed.destroy_process_group()


main()
