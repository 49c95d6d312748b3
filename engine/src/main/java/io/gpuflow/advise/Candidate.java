package io.gpuflow.advise;

import java.util.List;

/**
 * One way to train the model on these GPUs.
 *
 * @param fits with the stated margin; null when the GPU's memory is not known
 * @param stepSeconds one optimizer step; null when the GPU's speed is not known
 * @param commSeconds communication in it, whether or not it hides behind compute; null when the
 *     links are not known
 * @param because reasons, the binding limit and what would help
 * @param files ready-to-run configuration
 */
public record Candidate(
        Layout layout,
        Workload workload,
        Boolean fits,
        PeakMemory peak,
        Double stepSeconds,
        Double commSeconds,
        List<String> because,
        List<EmittedFile> files) {

    /** A file to write beside the training script. */
    public record EmittedFile(String name, String text) {}

    public Candidate with(Double step, Double comm, List<String> reasons, List<EmittedFile> made) {
        return new Candidate(layout, workload, fits, peak, step, comm, reasons, made);
    }
}
