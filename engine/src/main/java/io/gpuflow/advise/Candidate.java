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
 * @param time how the step's time comes about; null when it was not asked
 * @param placement which GPU is which rank; null when it was not asked
 * @param forbidden a rule or the site's policy forbids it
 */
public record Candidate(
        Layout layout,
        Workload workload,
        Boolean fits,
        PeakMemory peak,
        Double stepSeconds,
        Double commSeconds,
        List<String> because,
        List<EmittedFile> files,
        StepTime time,
        Placement placement,
        boolean forbidden) {

    public Candidate(
            Layout layout,
            Workload workload,
            Boolean fits,
            PeakMemory peak,
            Double stepSeconds,
            Double commSeconds,
            List<String> because,
            List<EmittedFile> files) {
        this(
                layout,
                workload,
                fits,
                peak,
                stepSeconds,
                commSeconds,
                because,
                files,
                null,
                null,
                false);
    }

    /** A file to write beside the training script. */
    public record EmittedFile(String name, String text) {}

    public Candidate with(Double step, Double comm, List<String> reasons, List<EmittedFile> made) {
        return new Candidate(
                layout, workload, fits, peak, step, comm, reasons, made, time, placement,
                forbidden);
    }

    /** With its time and its GPUs. */
    public Candidate timed(StepTime predicted, Placement placed) {
        return new Candidate(
                layout,
                workload,
                fits,
                peak,
                predicted.seconds(),
                predicted.communication(),
                because,
                files,
                predicted,
                placed,
                forbidden);
    }

    /** As a judgement of it says. */
    public Candidate judged(List<String> reasons, boolean out) {
        return new Candidate(
                layout,
                workload,
                fits,
                peak,
                stepSeconds,
                commSeconds,
                reasons,
                files,
                time,
                placement,
                out);
    }

    public Candidate with(PeakMemory explained) {
        return new Candidate(
                layout,
                workload,
                fits,
                explained,
                stepSeconds,
                commSeconds,
                because,
                files,
                time,
                placement,
                forbidden);
    }

    public Candidate with(List<EmittedFile> made) {
        return with(stepSeconds, commSeconds, because, made);
    }
}
