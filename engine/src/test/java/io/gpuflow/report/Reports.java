package io.gpuflow.report;

import io.gpuflow.facts.Advice;
import io.gpuflow.facts.Judgement;
import io.gpuflow.facts.Source;
import io.gpuflow.facts.Unknown;
import io.gpuflow.facts.Verdict;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Runs to print in tests. */
final class Reports {
    private Reports() {}

    /** A pair of GPUs whose peer access was switched off, with the experiment that shows it. */
    static RunReport slow() {
        Map<String, String> unset = new HashMap<>();
        unset.put("NCCL_P2P_DISABLE", null);
        Verdict root =
                verdict(
                        "p2p-disabled",
                        Verdict.Level.FAIL,
                        null,
                        "all_reduce reaches 27 of 339 GB/s: NCCL_P2P_DISABLE=1 sends it through"
                                + " host memory",
                        List.of(
                                new Verdict.Fix(
                                        "fix",
                                        "user",
                                        "unset NCCL_P2P_DISABLE where it is set",
                                        unset,
                                        null),
                                new Verdict.Fix(
                                        "test",
                                        "admin",
                                        "check that the driver grants peer access:"
                                                + " nvidia-smi topo -p2p r",
                                        Map.of(),
                                        null)),
                        List.of(
                                new Source("steps/bench/1/nccl.log", 12, "via SHM/direct/direct"),
                                Source.of("nvidia-smi topo -m"),
                                Source.of("environment")));
        Verdict under =
                verdict(
                        "slow-transport",
                        Verdict.Level.WARN,
                        "p2p-disabled",
                        "NCCL uses SHM between GPUs 0 and 1, which are joined by NV18",
                        List.of(),
                        List.of());
        Verdict hang =
                verdict(
                        "fabric-down",
                        Verdict.Level.WARN,
                        null,
                        "Fabric Manager is not running",
                        List.of(
                                new Verdict.Fix(
                                        "workaround",
                                        "user",
                                        "run with NCCL_NVLS_ENABLE=0",
                                        Map.of("NCCL_NVLS_ENABLE", "0"),
                                        "no NVLink SHARP: about 10 % of all_reduce")),
                        List.of());
        return new RunReport(
                "0.1.0",
                "workflows/setup.yaml",
                "this machine",
                false,
                false,
                "gpuflow-runs/2026-11-29T153251Z-setup",
                Instant.parse("2026-11-29T15:32:51Z"),
                312.4,
                1,
                false,
                "Not in order: 1 finding to act on.",
                List.of(
                        step("probe", "passed", "2 NVIDIA H200, nvswitch-all-to-all", 1.24),
                        step("smoke", "passed", "2 ranks on nccl finished", 14.2),
                        new RunReport.StepLine(
                                "bench",
                                "failed",
                                "all_reduce reaches 27 of 339 GB/s",
                                187.3,
                                null,
                                List.of(
                                        new RunReport.AttemptLine(
                                                1,
                                                Map.of("op", "all_reduce"),
                                                null,
                                                false,
                                                "passed",
                                                "27 GB/s",
                                                60.1,
                                                "steps/bench/1-all_reduce")),
                                List.of(
                                        new RunReport.ExperimentLine(
                                                "p2p-on",
                                                "confirmed",
                                                27.1,
                                                339.0,
                                                "GB/s",
                                                unset,
                                                "339 GB/s with NCCL_P2P_DISABLE unset, 27.1 and"
                                                        + " 27 GB/s without")),
                                Map.of("busbw", 27.1)),
                        step("more", "blocked", "bench failed", 0)),
                List.of(root, under, hang),
                List.of(
                        untold("xid-seen", "KernelEvent", "the kernel log needs root: dmesg"),
                        untold("aer-seen", "KernelEvent", "the kernel log needs root: dmesg"),
                        untold("ib-down", "Nic", "ibstat is not installed")),
                List.of(new Advice("fabric-down", "nvls-off", "it may hang in NVLS")),
                List.of(),
                "unset NCCL_P2P_DISABLE where it is set (user)");
    }

    /** A replay in which all is well. */
    static RunReport replay() {
        return new RunReport(
                "0.1.0",
                "workflows/setup.yaml",
                "the recording examples/h200x2/recording",
                true,
                false,
                "gpuflow-runs/r",
                Instant.parse("2026-11-29T15:32:51Z"),
                0.61,
                0,
                false,
                "Usable.",
                List.of(step("probe", "passed", "2 NVIDIA H200", 0.2)),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                null);
    }

    /** What hostile tools can put into a report. */
    static RunReport hostile() {
        String evil = "\u001b[2J\u001b]0;x\u0007<script>alert('&\"')</script>\r\nnext\u0000\u202e";
        return new RunReport(
                "0.1.0",
                "a<b>.yaml",
                evil,
                true,
                false,
                "r",
                null,
                1,
                3,
                false,
                evil,
                List.of(step("s", "broken", evil, 1)),
                List.of(
                        verdict(
                                "v",
                                Verdict.Level.FAIL,
                                null,
                                evil,
                                List.of(new Verdict.Fix("fix", "user", evil, Map.of(), evil)),
                                List.of(new Source(evil, 3, evil)))),
                List.of(untold("u", "Gpu", evil)),
                List.of(),
                List.of(evil),
                evil);
    }

    static RunReport dryRun() {
        return new RunReport(
                "0.1.0",
                "workflows/setup.yaml",
                "this machine",
                false,
                true,
                null,
                Instant.parse("2026-11-29T15:32:51Z"),
                1.5,
                0,
                false,
                "Dry run: only what reads was run.",
                List.of(
                        step("probe", "passed", "2 NVIDIA H200", 1.2),
                        new RunReport.StepLine(
                                "smoke",
                                "run",
                                "if probe passes; at most 120 s",
                                0,
                                List.of("torchrun", "--standalone", "smoke.py"),
                                List.of(),
                                List.of(),
                                Map.of()),
                        step("bench", "can't tell yet", "step smoke has not run", 0)),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                null);
    }

    static RunReport.StepLine step(String id, String state, String reason, double seconds) {
        return new RunReport.StepLine(
                id, state, reason, seconds, null, List.of(), List.of(), Map.of());
    }

    private static Verdict verdict(
            String id,
            Verdict.Level level,
            String under,
            String says,
            List<Verdict.Fix> fixes,
            List<Source> evidence) {
        return new Verdict(
                id,
                "bench",
                "slow-transport",
                under == null ? Verdict.Role.ROOT : Verdict.Role.CONSEQUENCE,
                level,
                under,
                0.9,
                List.of(),
                List.of(),
                says,
                "why it is so",
                fixes,
                evidence,
                List.of(),
                Map.of());
    }

    private static Judgement.Untold untold(String rule, String what, String why) {
        return new Judgement.Untold(rule, "hardware", List.of(new Unknown(what, why)));
    }
}
