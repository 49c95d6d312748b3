#!/usr/bin/env python3
"""Trains a causal language model with Accelerate; accelerate.yaml decides how it is divided. Written by gpuflow advise; yours to change.

accelerate launch --config_file accelerate.yaml train_accelerate.py
Global batch: @BATCH_WORDS@.
"""
import argparse
import json
import os
import time
from collections import namedtuple
from types import SimpleNamespace

import torch
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, Dataset

@COMMON@

class Sequences(Dataset):
    """Accelerate divides what this yields over the ranks. Made up: put your data here."""

    def __init__(self, vocab, seq, length):
        self.vocab, self.seq, self.length = vocab, seq, length

    def __len__(self):
        return self.length

    def __getitem__(self, i):
        return (i * 7919 + 3 * torch.arange(self.seq)) % min(self.vocab // 4, 1000)


def main():
    o = arguments()
    accelerator = Accelerator(gradient_accumulation_steps=ACCUMULATION)
    torch.manual_seed(0)  # the same weights on every rank
    model = build_model(o.tiny, "cpu" if @KEEP_ON_CPU@ else accelerator.device)
    vocab = model.config.vocab_size
    model.train()
    world = accelerator.num_processes
    data = DataLoader(Sequences(vocab, 32 if o.tiny else SEQ, o.steps * ACCUMULATION * MICRO_BATCH * world), batch_size=MICRO_BATCH, drop_last=True)
    steppers = optimizers(model)
    model, data, *steppers = accelerator.prepare(model, data, *steppers)
    losses, times, total, begin = [], [], 0.0, time.perf_counter()
    for tokens in data:
        with accelerator.accumulate(model):
            loss = model(input_ids=tokens, labels=tokens).loss
            accelerator.backward(loss)
            for optimizer in steppers:
                optimizer.step()
                optimizer.zero_grad()
        total += float(loss.detach()) / ACCUMULATION
        if accelerator.sync_gradients:
            losses.append(total)
            times.append(time.perf_counter() - begin)
            total, begin = 0.0, time.perf_counter()
    report(o, accelerator.process_index, losses, times)
    accelerator.end_training()


if __name__ == "__main__":
    main()
