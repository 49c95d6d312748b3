package io.gpuflow.parse;

import io.gpuflow.facts.Driver;
import io.gpuflow.facts.EnvVar;
import io.gpuflow.facts.NcclComm;
import io.gpuflow.facts.Nic;
import io.gpuflow.facts.Observed;
import io.gpuflow.facts.Transport;
import io.gpuflow.facts.Unknown;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** What the INFO log of NCCL or RCCL says, over all ranks and communicators in it. */
final class NcclInfoReport implements Report {
    /**
     * A communicator, as far as the log tells.
     *
     * @param line where it was first told, from 1
     */
    static final class Comm {
        final int line;
        Integer ranks;
        Integer nodes;
        Boolean mnnvl;

        Comm(int line) {
            this.line = line;
        }
    }

    /** A pair of ranks and its transport. */
    record Link(int from, int to, String via) {}

    final List<String> lines;
    String library = "NCCL";
    final Set<String> versions = new LinkedHashSet<>();
    int versionLine;
    final Map<String, Integer> networks = new LinkedHashMap<>();
    String netPlugin;
    final Set<String> initialized = new LinkedHashSet<>();
    final Map<String, Comm> comms = new LinkedHashMap<>();
    final Map<String, Integer> transports = new TreeMap<>();
    final Map<Link, Integer> links = new LinkedHashMap<>();
    final Set<Integer> channels = new LinkedHashSet<>();
    Boolean gdr;
    Boolean nvls;
    Boolean ibFound;

    /** Link layer (InfiniBand, Ethernet or null) by adapter; NCCL lists active ports only. */
    final Map<String, String> ibDevices = new LinkedHashMap<>();

    int ibLine;
    final Set<String> socketInterfaces = new LinkedHashSet<>();
    String cudaDriverVersion;
    int cudaDriverLine;
    final Set<String> hosts = new LinkedHashSet<>();
    final Map<String, String> environment = new LinkedHashMap<>();
    final Map<String, Integer> environmentLines = new LinkedHashMap<>();
    final Set<String> warnings = new LinkedHashSet<>();
    int initStarts;
    int initCompletes;
    boolean any;
    final List<String> unparsed = new ArrayList<>();

    NcclInfoReport(List<String> lines) {
        this.lines = lines;
    }

    @Override
    public String error() {
        return any ? null : failure().text();
    }

    private Failure failure() {
        Failure failure = ToolErrors.in(lines);
        return failure != null
                ? failure
                : new Failure("no-nccl-log", "no line of NCCL's log found", 0);
    }

    @Override
    public List<String> unparsed() {
        return unparsed;
    }

    /**
     * The name after "Using network", or the plugin that was assigned; null when neither is told.
     */
    String network() {
        String most = null;
        for (Map.Entry<String, Integer> network : networks.entrySet()) {
            if (most == null || network.getValue() > networks.get(most)) {
                most = network.getKey();
            }
        }
        if (most == null && initialized.size() == 1) {
            return initialized.iterator().next();
        }
        return most;
    }

    /** The communicator with the most ranks, or null. */
    private Comm world() {
        Comm world = null;
        for (Comm comm : comms.values()) {
            boolean larger = world == null || of(comm.ranks) > of(world.ranks);
            boolean fuller = !larger && of(comm.ranks) == of(world.ranks) && world.nodes == null;
            world = larger || fuller ? comm : world;
        }
        return world;
    }

    private static int of(Integer number) {
        return number == null ? 0 : number;
    }

    private Boolean mnnvl() {
        Boolean mnnvl = null;
        for (Comm comm : comms.values()) {
            if (comm.mnnvl != null) {
                mnnvl = mnnvl == null ? comm.mnnvl : Boolean.valueOf(mnnvl || comm.mnnvl);
            }
        }
        return mnnvl;
    }

    @Override
    public Map<String, Object> values() {
        Map<String, Object> values = new LinkedHashMap<>();
        if (!any) {
            Failure failure = failure();
            values.put("error", failure.id());
            values.put("error_text", failure.text());
            return values;
        }
        Comm world = world();
        values.put("library", library);
        values.put("nccl_version", versions.isEmpty() ? null : versions.iterator().next());
        if (versions.size() > 1) {
            values.put("versions", new ArrayList<>(versions));
        }
        values.put("network", network());
        if (networks.size() > 1) {
            values.put("networks", networks);
        }
        values.put("nranks", world == null ? null : world.ranks);
        values.put("nnodes", world == null ? null : world.nodes);
        values.put("transports", transports);
        values.put("mnnvl", mnnvl());
        values.put("gdr", gdr);
        values.put("nvls", nvls == null ? null : nvls ? "available" : "not available");
        addDetails(values);
        return values;
    }

    private void addDetails(Map<String, Object> values) {
        if (netPlugin != null) {
            values.put("net_plugin", netPlugin);
        }
        if (ibFound != null) {
            values.put("ib_found", ibFound);
        }
        if (!ibDevices.isEmpty()) {
            values.put("ib_devices", new ArrayList<>(ibDevices.keySet()));
        }
        if (!socketInterfaces.isEmpty()) {
            values.put("socket_interfaces", new ArrayList<>(socketInterfaces));
        }
        if (cudaDriverVersion != null) {
            values.put("cuda_driver_version", cudaDriverVersion);
        }
        if (!hosts.isEmpty()) {
            values.put("hosts_seen", hosts.size());
        }
        if (!channels.isEmpty()) {
            values.put("channels", channels.size());
        }
        if (!comms.isEmpty()) {
            values.put("init_started", initStarts);
            values.put("init_completed", initCompletes);
        }
        if (!environment.isEmpty()) {
            values.put("environment", environment);
        }
        if (!warnings.isEmpty()) {
            values.put("warnings", new ArrayList<>(warnings));
        }
    }

    /**
     * The slowest kind of transport that connects two ranks, or null: NET/Socket before SHM before
     * P2P.
     */
    String slowestTransport() {
        return TransportKind.slowest(transports.keySet());
    }

    @Override
    public List<Observed> facts(String sourceName) {
        return Noted.from(notes(), sourceName);
    }

    List<Noted> notes() {
        List<Noted> notes = new ArrayList<>();
        if (!any) {
            notes.add(Noted.at(new Unknown("NcclComm", failure().text()), failure().line(), lines));
            return notes;
        }
        Set<NcclComm> told = new LinkedHashSet<>();
        for (Comm comm : comms.values()) {
            NcclComm fact = fact(comm);
            if (told.add(fact)) {
                notes.add(Noted.at(fact, comm.line, lines));
            }
        }
        if (comms.isEmpty()) {
            notes.add(Noted.at(fact(new Comm(0)), versionLine, lines));
        }
        ibDevices.forEach(
                (name, layer) -> {
                    Nic nic = new Nic(name, "rdma", "ACTIVE", null, null, layer, null);
                    notes.add(Noted.at(nic, ibLine, lines));
                });
        String cuda = NcclTestsJson.cudaVersion(cudaDriverVersion);
        if (cuda != null) {
            notes.add(Noted.at(new Driver("nvidia", null, cuda), cudaDriverLine, lines));
        }
        links.forEach((link, line) -> notes.add(note(link, line)));
        environment.forEach(
                (name, value) -> {
                    EnvVar variable = new EnvVar(name, value, "environment");
                    notes.add(Noted.at(variable, environmentLines.get(name), lines));
                });
        return notes;
    }

    private Noted note(Link link, int line) {
        return Noted.at(new Transport(link.from(), link.to(), link.via()), line, lines);
    }

    private NcclComm fact(Comm comm) {
        String version = versions.isEmpty() ? null : versions.iterator().next();
        return new NcclComm(
                library, version, network(), comm.ranks, comm.nodes, nvls, comm.mnnvl, gdr);
    }
}
