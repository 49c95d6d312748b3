package io.gpuflow.parse;

import io.gpuflow.facts.Driver;
import io.gpuflow.facts.Fact;
import io.gpuflow.facts.Gpu;
import io.gpuflow.facts.GpuFabric;
import io.gpuflow.facts.GpuHealth;
import io.gpuflow.facts.GpuMemoryErrors;
import io.gpuflow.facts.GpuMode;
import io.gpuflow.facts.GpuProcess;
import io.gpuflow.facts.Mig;
import io.gpuflow.facts.Observed;
import io.gpuflow.facts.PcieLink;
import io.gpuflow.facts.Source;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import javax.xml.stream.XMLStreamException;

/** Reads {@code nvidia-smi -q -x}, drivers 390 to 580. */
public final class NvidiaSmiXml implements Parser<NvidiaSmiXml.Reading> {
    /** Long lists that say nothing about the machine's state. */
    private static final Set<String> SKIPPED =
            Set.of("supported_clocks", "accounted_processes", "row_remapper_histogram");

    /**
     * All GPUs of the machine, each list in the order of nvidia-smi's indexes. A GPU that does not
     * tell its fabric state, links … is missing in that list.
     */
    public record Reading(
            String driverVersion,
            String cudaVersion,
            Integer attachedGpus,
            List<Gpu> gpus,
            List<GpuMode> modes,
            List<GpuHealth> health,
            List<GpuMemoryErrors> memoryErrors,
            List<GpuFabric> fabric,
            List<PcieLink> pcieLinks,
            List<Mig> mig,
            List<GpuProcess> processes,
            String error,
            List<String> unparsed)
            implements Report {
        @Override
        public List<Observed> facts(String sourceName) {
            List<Fact> facts = new ArrayList<>();
            if (driverVersion != null) {
                facts.add(new Driver("nvidia", driverVersion, cudaVersion));
            }
            List.of(gpus, modes, health, memoryErrors, fabric, pcieLinks, mig, processes)
                    .forEach(facts::addAll);
            Source source = Source.of(sourceName);
            return facts.stream().map(f -> new Observed(f, source)).toList();
        }

        static Reading failed(String error, List<String> unparsed) {
            List<Gpu> none = List.of();
            return new Reading(
                    null, null, null, none, List.of(), List.of(), List.of(), List.of(), List.of(),
                    List.of(), List.of(), error, unparsed);
        }
    }

    @Override
    public String kind() {
        return "nvidia-smi-xml";
    }

    @Override
    public int recognises(String head) {
        if (head.contains("<nvidia_smi_log")) {
            return 100;
        }
        return head.contains("nvsmi_device") ? 90 : 0;
    }

    @Override
    public Reading parse(String printed) {
        String text = String.join("\n", Lines.of(printed));
        int start = text.indexOf('<');
        if (start < 0) {
            List<String> lines =
                    Lines.of(text).stream().filter(l -> !l.isBlank()).limit(100).toList();
            String first = lines.isEmpty() ? "empty" : lines.get(0).trim();
            return Reading.failed(first, lines);
        }
        List<String> unparsed =
                text.substring(0, start).lines().filter(l -> !l.isBlank()).limit(100).toList();
        int end = text.indexOf("</nvidia_smi_log>");
        String document = end < 0 ? text.substring(start) : text.substring(start, end + 17);
        XmlNode log;
        try {
            log = XmlNode.read(document, SKIPPED);
        } catch (XMLStreamException e) {
            return Reading.failed("not well-formed XML: " + reason(e), unparsed);
        }
        if (log == null || !log.name.equals("nvidia_smi_log")) {
            return Reading.failed("no <nvidia_smi_log> element", unparsed);
        }
        return read(log, unparsed);
    }

    private static Reading read(XmlNode log, List<String> unparsed) {
        List<NvidiaSmiXmlGpu> gpus = new ArrayList<>();
        for (XmlNode node : log.children) {
            if (node.name.equals("gpu")) {
                gpus.add(new NvidiaSmiXmlGpu(gpus.size(), node));
            }
        }
        return new Reading(
                Quantity.word(log.at("driver_version")),
                Quantity.word(log.at("cuda_version")),
                Quantity.whole(log.at("attached_gpus")),
                gpus.stream().map(NvidiaSmiXmlGpu::gpu).toList(),
                gpus.stream()
                        .map(NvidiaSmiXmlGpu::mode)
                        .filter(m -> m.computeMode() != null || m.recoveryAction() != null)
                        .toList(),
                gpus.stream().map(NvidiaSmiXmlGpu::health).toList(),
                gpus.stream().map(NvidiaSmiXmlGpu::memoryErrors).toList(),
                gpus.stream().map(NvidiaSmiXmlGpu::fabric).filter(f -> f.state() != null).toList(),
                gpus.stream()
                        .map(NvidiaSmiXmlGpu::pcieLink)
                        .filter(p -> p.widthMax() != null || p.widthNow() != null)
                        .toList(),
                gpus.stream().map(NvidiaSmiXmlGpu::mig).filter(m -> m.enabled() != null).toList(),
                gpus.stream().flatMap(g -> g.processes().stream()).toList(),
                gpus.isEmpty() ? "no GPU listed" : null,
                unparsed);
    }

    /** The reader's words without the position, which is one in our copy of the text. */
    private static String reason(XMLStreamException e) {
        String message = String.valueOf(e.getMessage());
        int words = message.indexOf("Message: ");
        return words < 0 ? message : message.substring(words + 9).strip();
    }
}
