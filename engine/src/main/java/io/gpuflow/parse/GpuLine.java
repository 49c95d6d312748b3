package io.gpuflow.parse;

/** A line that names a GPU: "GPU 0: NVIDIA H200 (UUID: GPU-…)"; the UUID may be cut off. */
record GpuLine(int index, String name, String uuid) {
    static GpuLine in(String line) {
        for (int at = line.indexOf("GPU "); at >= 0; at = line.indexOf("GPU ", at + 4)) {
            int colon = line.indexOf(':', at);
            if (colon > at + 4
                    && colon <= at + 8
                    && colon + 1 < line.length()
                    && line.charAt(colon + 1) == ' ') {
                Long index = Numbers.integer(line.substring(at + 4, colon));
                if (index != null && index >= 0) {
                    return named(index.intValue(), line.substring(colon + 2));
                }
            }
        }
        return null;
    }

    private static GpuLine named(int index, String rest) {
        int uuid = rest.indexOf("(UUID:");
        String name = (uuid >= 0 ? rest.substring(0, uuid) : rest).strip();
        if (name.isEmpty()) {
            return null;
        }
        return new GpuLine(index, name, uuid(rest));
    }

    /** What stands in "(UUID: …)", be it of a GPU or of a MIG device; null when it is cut off. */
    static String uuid(String line) {
        int uuid = line.indexOf("(UUID:");
        int end = uuid < 0 ? -1 : line.indexOf(')', uuid);
        return end < 0 ? null : line.substring(uuid + 6, end).strip();
    }
}
