package io.gpuflow.parse;

/**
 * A line about one link: "Link 0: 26.562 GB/s", "Link 0: &lt;inactive&gt;", "Link 0: Replay Errors:
 * 0", "Link 0, P2P is supported: true".
 *
 * @param name of a counter or capability; null for the link's rate
 */
record NvLinkLine(int link, String name, String value) {
    static NvLinkLine in(String line) {
        int at = line.indexOf("Link ");
        if (at < 0) {
            return null;
        }
        int end = at + 5;
        while (end < line.length() && Character.isDigit(line.charAt(end))) {
            end++;
        }
        boolean number = end > at + 5 && end <= at + 8 && end < line.length();
        if (!number || line.charAt(end) != ':' && line.charAt(end) != ',') {
            return null;
        }
        int link = Integer.parseInt(line.substring(at + 5, end));
        String rest = line.substring(end + 1).strip();
        int colon = rest.lastIndexOf(": ");
        if (rest.isEmpty()) {
            return null;
        }
        return colon < 0
                ? new NvLinkLine(link, null, rest)
                : new NvLinkLine(
                        link, rest.substring(0, colon).strip(), rest.substring(colon + 2).strip());
    }

    /**
     * "NVML: Unable to retrieve NVLink information as all links are inActive" or "…: Not
     * Supported"; some drivers write Nvlink.
     */
    static boolean isRefusal(String text) {
        return text.contains("NVLink information") || text.contains("Nvlink information");
    }

    boolean isInactive() {
        return name == null && ToolErrors.containsIgnoringCase(value, "inactive");
    }

    /** GB/s, or null when the line tells no rate. */
    Double gbps() {
        int unit = value.indexOf(" GB/s");
        return name != null || unit < 0 ? null : Numbers.real(value.substring(0, unit));
    }
}
