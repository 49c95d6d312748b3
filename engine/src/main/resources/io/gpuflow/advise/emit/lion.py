class Lion(torch.optim.Optimizer):
    """Lion: one momentum a parameter (Chen et al., 2023)."""

    def __init__(self, params, lr, betas=(0.9, 0.99)):
        super().__init__(params, dict(lr=lr, betas=betas))

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            b1, b2 = group["betas"]
            for p in group["params"]:
                if p.grad is None:
                    continue
                m = self.state[p].setdefault("m", torch.zeros_like(p))
                p.add_(m.mul(b1).add_(p.grad, alpha=1 - b1).sign_(), alpha=-group["lr"])
                m.mul_(b2).add_(p.grad, alpha=1 - b2)


def optimizers(model):
    return [Lion(model.parameters(), lr=LEARNING_RATE / 3)]
