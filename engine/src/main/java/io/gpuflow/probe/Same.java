package io.gpuflow.probe;

import io.gpuflow.facts.Driver;
import io.gpuflow.facts.Fact;
import io.gpuflow.facts.Gpu;
import io.gpuflow.facts.GpuHealth;
import io.gpuflow.facts.GpuMemoryErrors;
import io.gpuflow.facts.GpuMode;
import io.gpuflow.facts.Host;
import io.gpuflow.facts.Mig;
import io.gpuflow.facts.Nic;
import io.gpuflow.facts.PcieLink;
import java.util.List;

/** Which facts speak of one thing, and what they say together: the first that tells wins. */
final class Same {
    private Same() {}

    /** Equal for facts about the same thing; null for facts that stand alone. */
    static Object key(Fact fact) {
        if (fact instanceof Gpu f) {
            return List.of("Gpu", String.valueOf(f.vendor()), f.index());
        }
        if (fact instanceof GpuHealth f) {
            return List.of("GpuHealth", f.gpu());
        }
        if (fact instanceof GpuMemoryErrors f) {
            return List.of("GpuMemoryErrors", f.gpu());
        }
        if (fact instanceof GpuMode f) {
            return List.of("GpuMode", f.gpu());
        }
        if (fact instanceof Mig f) {
            return List.of("Mig", f.gpu());
        }
        if (fact instanceof PcieLink f) {
            return List.of("PcieLink", f.gpu());
        }
        if (fact instanceof Driver f) {
            return List.of("Driver", String.valueOf(f.vendor()));
        }
        if (fact instanceof Nic f) {
            return List.of("Nic", f.name());
        }
        return fact instanceof Host ? "Host" : null;
    }

    static Fact merged(Fact first, Fact second) {
        if (first instanceof Gpu a && second instanceof Gpu b) {
            return gpu(a, b);
        }
        if (first instanceof GpuHealth a && second instanceof GpuHealth b) {
            return health(a, b);
        }
        if (first instanceof PcieLink a && second instanceof PcieLink b) {
            return new PcieLink(
                    a.gpu(),
                    or(a.genNow(), b.genNow()),
                    or(a.genMax(), b.genMax()),
                    or(a.widthNow(), b.widthNow()),
                    or(a.widthMax(), b.widthMax()));
        }
        if (first instanceof GpuMode a && second instanceof GpuMode b) {
            return new GpuMode(
                    a.gpu(),
                    or(a.computeMode(), b.computeMode()),
                    or(a.virtualization(), b.virtualization()),
                    or(a.recoveryAction(), b.recoveryAction()),
                    or(a.partition(), b.partition()));
        }
        if (first instanceof Mig a && second instanceof Mig b) {
            return new Mig(
                    a.gpu(),
                    or(a.enabled(), b.enabled()),
                    or(a.devices(), b.devices()),
                    or(a.uuids(), b.uuids()));
        }
        if (first instanceof Driver a && second instanceof Driver b) {
            return new Driver(
                    a.vendor(), or(a.version(), b.version()), or(a.cudaVersion(), b.cudaVersion()));
        }
        if (first instanceof Nic a && second instanceof Nic b) {
            return nic(a, b);
        }
        if (first instanceof Host a && second instanceof Host b) {
            return host(a, b);
        }
        return first;
    }

    private static Gpu gpu(Gpu a, Gpu b) {
        return new Gpu(
                a.index(),
                a.vendor(),
                or(a.model(), b.model()),
                or(a.uuid(), b.uuid()),
                or(a.busId(), b.busId()),
                or(a.memoryBytes(), b.memoryBytes()),
                or(a.computeCapability(), b.computeCapability()),
                or(a.numaNode(), b.numaNode()));
    }

    private static GpuHealth health(GpuHealth a, GpuHealth b) {
        return new GpuHealth(
                a.gpu(),
                or(a.temperatureC(), b.temperatureC()),
                or(a.slowdownTemperatureC(), b.slowdownTemperatureC()),
                or(a.powerW(), b.powerW()),
                or(a.powerLimitW(), b.powerLimitW()),
                or(a.powerDefaultLimitW(), b.powerDefaultLimitW()),
                or(a.smClockMhz(), b.smClockMhz()),
                or(a.smClockMaxMhz(), b.smClockMaxMhz()),
                or(a.persistenceMode(), b.persistenceMode()),
                or(a.throttleReasons(), b.throttleReasons()),
                or(a.utilizationPercent(), b.utilizationPercent()),
                or(a.memoryUsedBytes(), b.memoryUsedBytes()));
    }

    private static Nic nic(Nic a, Nic b) {
        return new Nic(
                a.name(),
                or(a.kind(), b.kind()),
                or(a.state(), b.state()),
                or(a.rateGbps(), b.rateGbps()),
                or(a.numaNode(), b.numaNode()),
                or(a.linkLayer(), b.linkLayer()),
                or(a.firmware(), b.firmware()));
    }

    private static Host host(Host a, Host b) {
        return new Host(
                or(a.name(), b.name()),
                or(a.kernel(), b.kernel()),
                or(a.kernelCommandLine(), b.kernelCommandLine()),
                or(a.cpus(), b.cpus()),
                or(a.threadsPerCore(), b.threadsPerCore()),
                or(a.numaNodes(), b.numaNodes()),
                or(a.memoryBytes(), b.memoryBytes()));
    }

    private static <T> T or(T first, T second) {
        return first != null ? first : second;
    }
}
