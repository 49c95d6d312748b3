MODEL = "model.json"  # a Hugging Face config.json, beside this file
WORLD = @WORLD@  # ranks this was made for
MICRO_BATCH = @MICRO_BATCH@  # sequences of one rank in one forward pass
ACCUMULATION = @ACCUMULATION@  # micro-steps in an optimizer step
SEQ = @SEQ@  # tokens in a sequence
PRECISION = "@PRECISION@"  # fp32, mixed (fp32 weights, bf16 computation), bf16, fp16 (fp32 weights, fp16 computation)
RECOMPUTE = @RECOMPUTE@  # compute activations again in the backward pass
ATTENTION = "@ATTENTION@"
LEARNING_RATE = 3e-4  # belongs to the global batch of @GLOBAL_BATCH@ sequences: another batch wants another one

GPU = torch.cuda.is_available()
COMPUTE = torch.float16 if PRECISION == "fp16" else torch.bfloat16


Output = namedtuple("Output", "loss")


class Tiny(nn.Module):
    """A decoder of two layers, to try the script out anywhere (--tiny)."""

    def __init__(self, vocab=128, width=64):
        super().__init__()
        self.embed = nn.Embedding(vocab, width)
        self.layers = nn.ModuleList(
            nn.TransformerEncoderLayer(width, 4, 2 * width, dropout=0.0, batch_first=True, norm_first=True) for _ in range(2)
        )
        self.head = nn.Linear(width, vocab)
        self.config = SimpleNamespace(vocab_size=vocab)

    def forward(self, input_ids, labels):
        x = self.embed(input_ids)
        hidden = torch.ones(x.shape[1], x.shape[1], dtype=torch.bool, device=x.device).triu(1)
        for layer in self.layers:
            x = layer(x, src_mask=hidden)
        logits = self.head(x)[:, :-1].float()
        return Output(nn.functional.cross_entropy(logits.flatten(0, 1), labels[:, 1:].flatten()))


def build_model(tiny, device):
    dtype = torch.bfloat16 if PRECISION == "bf16" else torch.float32
    if tiny:
        return Tiny().to(device=device, dtype=dtype)
    from transformers import AutoConfig, AutoModelForCausalLM

    raw = json.load(open(os.path.join(os.path.dirname(os.path.abspath(__file__)), MODEL)))
    config = AutoConfig.for_model(raw.pop("model_type"), **raw)
    config.use_cache = False
    with torch.device(device):
        # Your own weights: AutoModelForCausalLM.from_pretrained(FOLDER, dtype=dtype, attn_implementation=ATTENTION)
        model = AutoModelForCausalLM.from_config(config, dtype=dtype, attn_implementation=ATTENTION)
    if RECOMPUTE:
        model.gradient_checkpointing_enable(gradient_checkpointing_kwargs={"use_reentrant": False})
    return model


def batches(vocab, batch, seq, rank, world, device):
    """Token ids, shape (batch, seq), without end. Made up: put your data here, a different part of it on every rank."""
    generator = torch.Generator().manual_seed(rank)
    used, steps = min(vocab // 4, 1000), 3 * torch.arange(seq)
    while True:
        yield ((torch.randint(0, used, (batch, 1), generator=generator) + steps) % used).to(device)


def loss_scaler():
    """fp16 gradients underflow without one; for other formats it does nothing."""
    enabled = PRECISION == "fp16" and GPU
    return torch.amp.GradScaler("cuda", enabled=enabled) if hasattr(torch.amp, "GradScaler") else torch.cuda.amp.GradScaler(enabled=enabled)


@OPTIMIZER@


def arguments():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("--steps", type=int, default=20, help="optimizer steps")
    a.add_argument("--tiny", action="store_true", help="a model of two layers and short sequences, to try the script out")
    a.add_argument("--report", help="write loss and time per step to this file, as JSON")
    return a.parse_args()


def report(o, rank, losses, times):
    if rank != 0:
        return
    later = sorted(times[2:] or times)
    step = later[len(later) // 2]
    peak = torch.cuda.max_memory_allocated() / 2**30 if GPU else None
    print(f"loss {losses[0]:.4f} -> {losses[-1]:.4f}; {step:.4f} s a step" + (f"; {peak:.2f} GiB allocated at most" if GPU else ""), flush=True)
    if o.report:
        with open(o.report, "w") as file:
            json.dump(dict(losses=losses, step_s=step, peak_alloc_gib=peak, torch=torch.__version__, gpu=torch.cuda.get_device_name() if GPU else None), file)
