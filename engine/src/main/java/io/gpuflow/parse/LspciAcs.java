package io.gpuflow.parse;

import io.gpuflow.facts.Observed;
import io.gpuflow.facts.PcieAcs;
import io.gpuflow.facts.Source;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the ACS control of every PCI bridge out of {@code lspci -vvv}. */
public final class LspciAcs implements Parser<LspciAcs.Reading> {
    // 0000:40:01.1 PCI bridge: Advanced Micro Devices, Inc. [AMD] Starship/Matisse GPP Bridge
    private static final Pattern DEVICE =
            Pattern.compile("((?:[0-9a-f]{4,8}:)?[0-9a-f]{2}:[0-9a-f]{2}\\.[0-7]) ([^:]+): .*");
    //      ACSCtl: SrcValid+ TransBlk- ReqRedir+ CmpltRedir+ UpstreamFwd+ EgressCtrl- DirectTrans-
    private static final String CONTROL = "ACSCtl:";

    /**
     * A bridge that has ACS control.
     *
     * @param sourceValidation SrcValid+
     * @param requestRedirect ReqRedir+
     * @param completionRedirect CmpltRedir+
     */
    public record Bridge(
            String bridge,
            boolean sourceValidation,
            boolean requestRedirect,
            boolean completionRedirect) {}

    /**
     * All bridges with ACS.
     *
     * @param devices PCI devices listed
     * @param capabilitiesHidden true when lspci was not allowed to read capabilities, so that the
     *     absence of ACS says nothing
     */
    public record Reading(
            int devices,
            int pciBridges,
            boolean capabilitiesHidden,
            List<Bridge> bridges,
            String error,
            List<String> unparsed)
            implements Report {
        @Override
        public List<Observed> facts(String sourceName) {
            return bridges.stream().map(b -> new Observed(fact(b), Source.of(sourceName))).toList();
        }

        private static PcieAcs fact(Bridge b) {
            boolean redirect = b.sourceValidation || b.requestRedirect || b.completionRedirect;
            return new PcieAcs(PciAddress.of(b.bridge), redirect);
        }
    }

    @Override
    public String kind() {
        return "lspci-acs";
    }

    @Override
    public int recognises(String head) {
        boolean listing = head.lines().limit(5).anyMatch(l -> DEVICE.matcher(l).matches());
        boolean verbose = head.contains("Capabilities:") || head.contains(CONTROL);
        return listing && verbose ? 90 : listing ? 40 : 0;
    }

    @Override
    public Reading parse(String text) {
        List<Bridge> bridges = new ArrayList<>();
        String bridge = null;
        int devices = 0;
        int pciBridges = 0;
        boolean hidden = false;
        for (String line : Lines.of(text)) {
            Matcher m = DEVICE.matcher(line);
            if (m.matches()) {
                devices++;
                boolean isBridge = m.group(2).startsWith("PCI bridge");
                pciBridges += isBridge ? 1 : 0;
                bridge = isBridge ? m.group(1) : null;
            } else if (line.contains("Capabilities: <access denied>")) {
                hidden = true;
            } else if (bridge != null && line.contains(CONTROL)) {
                bridges.add(
                        new Bridge(
                                bridge,
                                line.contains("SrcValid+"),
                                line.contains("ReqRedir+"),
                                line.contains("CmpltRedir+")));
            }
        }
        String error = null;
        if (devices == 0) {
            error =
                    Lines.of(text).stream()
                            .filter(l -> !l.isBlank())
                            .findFirst()
                            .orElse("no device listed");
        }
        return new Reading(devices, pciBridges, hidden, bridges, error, List.of());
    }
}
