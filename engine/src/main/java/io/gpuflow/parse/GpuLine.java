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
        int end = uuid < 0 ? -1 : rest.indexOf(')', uuid);
        return new GpuLine(index, name, end < 0 ? null : rest.substring(uuid + 6, end).strip());
    }
}
