package io.gpuflow.parse;

/** Lines about networks, plugins, GPUDirect RDMA, NVLS and the driver. */
final class NcclNetworkLine {
    private NcclNetworkLine() {}

    static void read(String message, int number, NcclInfoReport report) {
        if (message.startsWith("Using network ")) {
            report.networks.merge(unmarked(message.substring(14)), 1, Integer::sum);
        } else if (message.startsWith("Initialized NET plugin ")) {
            report.initialized.add(unmarked(message.substring(23)));
            report.netPlugin = unmarked(message.substring(23));
        } else if (message.startsWith("NET/OFI Initializing ")) {
            report.netPlugin = unmarked(message.substring(21));
        } else if (message.contains("Loaded net plugin ")) {
            report.netPlugin =
                    unmarked(message.substring(message.indexOf("Loaded net plugin ") + 18));
        } else if (message.startsWith("NET/IB : No device found")) {
            report.ibFound = report.ibFound != null && report.ibFound;
        } else if (message.startsWith("NET/") && message.contains(" : Using ")) {
            readInterfaces(message, number, report);
        } else if (message.startsWith("cudaDriverVersion ")) {
            report.cudaDriverVersion = unmarked(message.substring(18));
            report.cudaDriverLine = number;
        } else if (message.contains("GPU Direct RDMA ")) {
            readGdr(message, report);
        } else if (message.contains("NVLS multicast support is ")) {
            boolean available = !message.contains("is not available");
            report.nvls =
                    report.nvls == null ? Boolean.valueOf(available) : report.nvls && available;
        }
    }

    private static void readGdr(String message, NcclInfoReport report) {
        if (message.contains("RDMA Enabled")) {
            report.gdr = true;
        } else if (message.contains("RDMA Disabled") && report.gdr == null) {
            report.gdr = false;
        }
    }

    /** NET/IB : Using [0]mlx5_0:1/IB [1]mlx5_1:1/RoCE [RO]; OOB eth0:10.0.0.1&lt;0&gt; */
    private static void readInterfaces(String message, int number, NcclInfoReport report) {
        boolean ib = message.startsWith("NET/IB") || message.startsWith("NET/gIB");
        for (Token word : Token.in(message.substring(message.indexOf(" : Using ") + 9))) {
            String text = word.text();
            int close = text.indexOf(']');
            int colon = text.indexOf(':', close);
            boolean listed =
                    text.startsWith("[")
                            && close > 1
                            && colon > close + 1
                            && Numbers.isInteger(text.substring(1, close));
            if (listed && ib) {
                report.ibDevices.putIfAbsent(text.substring(close + 1, colon), layer(text));
                report.ibLine = report.ibLine == 0 ? number : report.ibLine;
                report.ibFound = true;
            } else if (listed) {
                report.socketInterfaces.add(text.substring(close + 1, colon));
            }
        }
    }

    private static String layer(String port) {
        return port.contains("/RoCE") ? "Ethernet" : port.contains("/IB") ? "InfiniBand" : null;
    }

    /** Without a mark in brackets that a document tool put at the end: "gIB [cite: 1889]". */
    static String unmarked(String text) {
        String bare = text.strip();
        int open = bare.lastIndexOf(" [");
        return bare.endsWith("]") && open > 0 ? bare.substring(0, open).strip() : bare;
    }
}
