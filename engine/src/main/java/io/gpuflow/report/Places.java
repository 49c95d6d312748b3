package io.gpuflow.report;

import io.gpuflow.facts.Source;

/**
 * Where evidence lies, told from where a person stands: what is below the folder that gpuflow was
 * started in from there, what is in the record of the run from {@code …}.
 */
final class Places {
    static final Places HERE = new Places(null, null);

    private static final String RECORDING = "the recording ";

    private final String record;
    private final String recording;
    private boolean inRecord;

    private Places(String record, String recording) {
        this.record = record;
        this.recording = recording;
    }

    static Places of(RunReport run) {
        boolean replay = run.replay() && run.machine().startsWith(RECORDING);
        String recording = replay ? run.machine().substring(RECORDING.length()) : null;
        return new Places(
                run.folder() == null ? null : below(fromHere(run.folder())),
                recording == null ? null : below(fromHere(recording)));
    }

    /** The source, short. */
    String near(Source source) {
        String text = fromHere(source.toString());
        if (record != null && text.startsWith(record)) {
            inRecord = true;
            return "…/" + text.substring(record.length());
        }
        boolean recorded = recording != null && text.startsWith(recording);
        return recorded ? "recording/" + text.substring(recording.length()) : text;
    }

    /** Whether … was used, so that it must be said what it stands for. */
    boolean inRecord() {
        return inRecord;
    }

    private static String below(String folder) {
        return folder.endsWith("/") ? folder : folder + "/";
    }

    private static String fromHere(String path) {
        String here = System.getProperty("user.dir") + "/";
        return path.startsWith(here) ? path.substring(here.length()) : path;
    }
}
