package io.gpuflow.cli;

import java.nio.file.Path;

/** Finds the workflow that was named. */
final class WorkflowFile {
    private WorkflowFile() {}

    /** As it was named, or among the workflows that come with gpuflow. */
    static Path find(Path named) {
        return GpuflowHome.find(named);
    }
}
