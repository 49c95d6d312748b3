package io.gpuflow.advise.emit;

import io.gpuflow.advise.Candidate.EmittedFile;
import java.util.List;

/** A tool that takes a file. */
interface Target {
    /** The files for a job; none when the tool can't do it. */
    List<EmittedFile> files(Job job);
}
