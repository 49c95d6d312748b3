package io.gpuflow.advise;

import java.util.ArrayList;
import java.util.List;

/** The ways of dividing a model that are worth a try on so many GPUs, the simplest first. */
final class Layouts {
    private Layouts() {}

    static List<Layout> of(ModelShape model, int gpus, int perNode) {
        if (gpus == 1) {
            return List.of(Layout.single());
        }
        List<Layout> all = new ArrayList<>();
        all.add(Layout.of(DataParallel.DDP, gpus));
        all.add(Layout.of(DataParallel.ZERO1, gpus));
        all.add(Layout.of(DataParallel.FSDP2_NO_RESHARD, gpus));
        all.add(Layout.of(DataParallel.FSDP2, gpus));
        if (gpus > perNode && gpus % perNode == 0 && perNode > 1) {
            all.add(divided(DataParallel.FSDP2, gpus, perNode, 1, 1));
        }
        for (int tp = 2; tp <= perNode; tp *= 2) {
            boolean divides = gpus % tp == 0 && model.heads() % tp == 0 && model.ffn() % tp == 0;
            if (divides && model.kvHeads() % tp == 0) {
                int dp = gpus / tp;
                DataParallel data = dp > 1 ? DataParallel.FSDP2 : DataParallel.NONE;
                all.add(divided(data, dp, dp, tp, 1));
            }
        }
        for (int pp = 2; pp <= gpus; pp *= 2) {
            if (gpus % pp == 0 && model.layers() % pp == 0) {
                int dp = gpus / pp;
                DataParallel data = dp > 1 ? DataParallel.DDP : DataParallel.NONE;
                all.add(divided(data, dp, 1, 1, pp).withAccumulation(4 * pp));
            }
        }
        return all;
    }

    private static Layout divided(DataParallel data, int dp, int shard, int tp, int pp) {
        return new Layout(
                data,
                dp,
                data == DataParallel.NONE ? 1 : shard,
                tp,
                tp > 1,
                pp,
                1,
                1,
                1,
                1,
                Layout.Offload.NONE,
                Layout.Offload.NONE);
    }
}
