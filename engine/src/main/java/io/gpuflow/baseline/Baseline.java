package io.gpuflow.baseline;

import io.gpuflow.facts.BaselineBench;
import io.gpuflow.facts.BaselineFigure;
import io.gpuflow.facts.BaselineSoftware;
import java.util.List;

/**
 * The healthy figures of one machine. Names, serial numbers and UUIDs are kept as hashes alone:
 * enough to notice another GPU, not enough to say which.
 *
 * @param saved UTC time of saving, ISO 8601
 * @param from what it was taken from: the name of a run or of a recording
 * @param host hash of the host's name, or null
 */
public record Baseline(
        String saved,
        String from,
        String host,
        List<Gpu> gpus,
        List<BaselineSoftware> software,
        List<BaselineBench> benches,
        List<BaselineFigure> figures) {

    /**
     * @param id hash of the GPU's UUID, or null when it was not known
     */
    public record Gpu(int index, String model, String id) {}

    /** The day it was saved. */
    public String day() {
        return saved.length() < 10 ? saved : saved.substring(0, 10);
    }
}
