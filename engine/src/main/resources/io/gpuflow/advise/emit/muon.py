def optimizers(model):
    """Muon for the layers' matrices, AdamW for the rest. Needs torch >= 2.9."""
    matrices = [p for n, p in model.named_parameters() if p.ndim == 2 and "embed" not in n and "head" not in n]
    ids = {id(p) for p in matrices}
    rest = [p for p in model.parameters() if id(p) not in ids]
    return [torch.optim.Muon(matrices, lr=0.02), torch.optim.AdamW(rest, lr=LEARNING_RATE)]
