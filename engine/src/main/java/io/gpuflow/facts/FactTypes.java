package io.gpuflow.facts;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Every fact record by its simple name. A new record needs a line here; a test checks it. */
public final class FactTypes {
    private static final List<Class<? extends Fact>> ALL =
            List.of(
                    Advice.class,
                    BaselineBench.class,
                    BaselineFigure.class,
                    BaselineGpu.class,
                    BaselineSoftware.class,
                    Bench.class,
                    BenchRow.class,
                    BusCeiling.class,
                    CollectiveState.class,
                    Container.class,
                    CpuAffinity.class,
                    DeviceNode.class,
                    Driver.class,
                    EvidenceFile.class,
                    EnvVar.class,
                    EvidenceFile.class,
                    Finding.class,
                    Gpu.class,
                    GpuFabric.class,
                    GpuHealth.class,
                    GpuMemoryErrors.class,
                    GpuMode.class,
                    GpuNicPath.class,
                    GpuPair.class,
                    GpuProcess.class,
                    HipOrder.class,
                    Host.class,
                    Imex.class,
                    Incident.class,
                    KernelEvent.class,
                    KernelModule.class,
                    KernelSetting.class,
                    Known.class,
                    Limit.class,
                    LogEvent.class,
                    Mig.class,
                    ModelSize.class,
                    NcclComm.class,
                    Nic.class,
                    NvLinkErrors.class,
                    NvLinkState.class,
                    OwnValue.class,
                    P2pCopyTest.class,
                    P2pPair.class,
                    ParallelPlan.class,
                    PcieAcs.class,
                    PcieLink.class,
                    ProcessState.class,
                    RankStack.class,
                    RankState.class,
                    RasRank.class,
                    Service.class,
                    Setting.class,
                    Sighting.class,
                    SmokeRank.class,
                    SmokeRun.class,
                    Stall.class,
                    Software.class,
                    ToolFailure.class,
                    Topology.class,
                    Torch.class,
                    TrainingModel.class,
                    TrainingPlan.class,
                    Transport.class,
                    Tried.class,
                    Unknown.class,
                    Visibility.class,
                    WaitFor.class);

    private static final Map<String, Class<? extends Fact>> BY_NAME = new TreeMap<>();

    static {
        for (Class<? extends Fact> type : ALL) {
            BY_NAME.put(type.getSimpleName(), type);
        }
    }

    private FactTypes() {}

    /** All fact records, by simple name. */
    public static List<Class<? extends Fact>> all() {
        return ALL;
    }

    /** The record with this simple name, or null. */
    public static Class<? extends Fact> named(String simpleName) {
        return BY_NAME.get(simpleName);
    }
}
