package io.gpuflow.step;

import io.gpuflow.facts.Torch;

/**
 * How many ranks a test starts, and over what.
 *
 * @param count processes; on GPUs one a visible GPU, never more
 * @param backend nccl (also RCCL) or gloo
 * @param gpus GPUs that torch sees
 * @param why why not over GPUs, null when over GPUs
 */
record Ranks(int count, String backend, int gpus, String why) {
    /** Two processes are the fewest that can fail to find each other. */
    private static final int ON_CPU = 2;

    /** It can't be told whether or how ranks can run. */
    static final class NotKnown extends Exception {
        private static final long serialVersionUID = 1L;

        NotKnown(String why) {
            super(why);
        }
    }

    static Ranks of(KnownFacts facts) throws NotKnown {
        Torch torch = facts.last(Torch.class);
        if (torch == null || torch.python() == null) {
            String why = facts.whyUnknown(Torch.class);
            throw new NotKnown("no PyTorch to run it with" + (why == null ? "" : ": " + why));
        }
        if (Boolean.FALSE.equals(torch.distributed())) {
            throw new NotKnown(
                    "this PyTorch (" + torch.version() + ") is built without torch.distributed");
        }
        if (torch.deviceCount() == null) {
            throw new NotKnown("how many GPUs PyTorch sees is not known");
        }
        int gpus = torch.deviceCount();
        if (gpus > 0 && !Boolean.FALSE.equals(torch.ncclAvailable())) {
            return new Ranks(gpus, "nccl", gpus, null);
        }
        if (Boolean.FALSE.equals(torch.glooAvailable())) {
            throw new NotKnown(
                    "PyTorch "
                            + torch.version()
                            + " sees "
                            + gpus
                            + " GPUs and has neither NCCL nor Gloo");
        }
        return new Ranks(
                ON_CPU,
                "gloo",
                gpus,
                gpus > 0
                        ? "PyTorch " + torch.version() + " is built without NCCL"
                        : "PyTorch " + torch.version() + " sees no GPU");
    }

    boolean onGpus() {
        return backend.equals("nccl");
    }
}
