package io.gpuflow.facts;

import java.util.List;

/**
 * Clocks, power, heat and use of one GPU at the time of the probe.
 *
 * @param throttleReasons active clock event reasons that slow the GPU, in nvidia-smi's words
 *     without the prefix: hw_thermal_slowdown, sw_power_cap …; idle and applications_clocks_setting
 *     are left out
 */
public record GpuHealth(
        int gpu,
        Integer temperatureC,
        Integer slowdownTemperatureC,
        Double powerW,
        Double powerLimitW,
        Double powerDefaultLimitW,
        Integer smClockMhz,
        Integer smClockMaxMhz,
        Boolean persistenceMode,
        List<String> throttleReasons,
        Integer utilizationPercent,
        Long memoryUsedBytes)
        implements Fact {}
