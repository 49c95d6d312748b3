package io.gpuflow.tool;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Host and user names: words like any other, so they are learned from places where only such a name
 * can stand, and then found wherever they occur.
 */
final class PrivateWords {
    private static final String HOST =
            "([A-Za-z0-9][A-Za-z0-9-]{0,62}+(?:\\.[A-Za-z0-9-]{1,63}+){0,8}+)(?!\\w)";

    /** Must not follow a domain: it would be an attribute or a call. */
    private static final String CODE = "(?![\\w(]|[.-]\\w)";

    private static final String USER = "([a-z_][a-z0-9_.-]{0,40})";

    /** A place that a line can hold only if it contains one of the texts, which is quick to see. */
    private record Place(List<String> needs, Pattern pattern) {
        boolean mayBeIn(String line) {
            return Texts.anyIn(line, needs);
        }
    }

    private static final List<String> DOMAINS =
            List.of(
                    ("com net org edu gov mil io ai cloud de fr uk eu ch jp cn kr in nl it es se no"
                                    + " fi pl ca au")
                            .split(" "));

    /** A group-1 match is a host. */
    private static final List<Place> HOST_PLACES =
            List.of(
                    // NCCL's own prefix: host:pid:thread [device]
                    at(" [", "(?<![A-Za-z0-9.-])" + HOST + ":\\d+:\\d+ \\[\\d+\\] "),
                    // Open MPI's: [host:pid]
                    at("[", "\\[" + HOST + ":\\d{2,}\\]"),
                    // syslog and the kernel journal
                    at(
                            ": ",
                            "^[A-Z][a-z]{2} [ \\d]\\d \\d\\d:\\d\\d:\\d\\d "
                                    + HOST
                                    + " [\\w.-]+(?:\\[\\d+\\])?: "),
                    at(
                            ": ",
                            "^\\d{4}-\\d\\d-\\d\\dT[\\d:.,+Z-]+ "
                                    + HOST
                                    + " [\\w.-]+(?:\\[\\d+\\])?: "),
                    at("@", "\\b[a-z_][a-z0-9_.-]{0,40}@" + HOST),
                    at(
                            List.of("ost", "OST", "ode", "ODE", "ddr", "DDR", "dpoint", "DPOINT"),
                            "(?i)\\b(?:HOSTNAME|SLURMD_NODENAME|SLURM_LAUNCH_NODE_IPADDR|MASTER_ADDR"
                                    + "|rdzv[_-]endpoint|rdzv[_-]host|master[_-]addr|host_?name"
                                    + "|nodename|node_?name)\"?[ \\t]*[=:][ \\t]*\"?"
                                    + HOST),
                    // torchrun's failure report, and JSON
                    at("ost", "(?:^|[\\s{,\"])[Hh]ost\"?[ \\t]*:[ \\t]*\"?" + HOST),
                    // A name within a domain; code has names with dots too, but seldom these
                    at(
                            List.of(".local", ".internal", ".lan", ".corp", ".intra"),
                            "\\b([A-Za-z0-9][A-Za-z0-9-]{0,62}(?:\\.[A-Za-z0-9-]{1,63}){0,6}\\.(?:local|internal"
                                    + "|lan|corp|intra|localdomain))"
                                    + CODE),
                    at(
                            DOMAINS.stream().map(d -> "." + d).toList(),
                            "\\b([A-Za-z0-9][A-Za-z0-9-]{0,62}(?:\\.[A-Za-z0-9-]{1,63}){1,6}\\.(?:"
                                    + String.join("|", DOMAINS)
                                    + "))"
                                    + CODE));

    private static final List<Place> USER_PLACES =
            List.of(
                    at("LOGNAME", "\\bLOGNAME[=:]\"?" + USER),
                    at("/", "/(?:home|Users)/" + USER),
                    at("@", "\\b" + USER + "@[A-Za-z0-9]"),
                    at(
                            "USER",
                            "\\b(?:USER|USERNAME|SUDO_USER|SLURM_JOB_USER)\"?[ \\t]*[=:]"
                                    + "[ \\t]*\"?"
                                    + USER),
                    at("ser", "\\b[Uu]ser(?:_?name|id)?\"?[ \\t]*[:=][ \\t]*\"?" + USER),
                    at("uid=", "\\buid=\\d+\\(" + USER + "\\)"));

    private static final List<String> NODE_LISTS = List.of("odelist", "ODELIST", "odeList");

    private static final Pattern NODE_LIST =
            Pattern.compile("(?i)nodelist\"?[ \\t]*[=:][ \\t]*\"?([A-Za-z0-9,\\[\\]._-]+)");

    /** Words that are no secret and would mutilate the text if they were replaced. */
    private static final Set<String> PUBLIC =
            Set.of(
                    """
                    localhost localdomain root ubuntu admin user users test train data home nvidia
                    nccl rccl torch python python3 kernel slurm systemd none null unknown true false
                    node host rank gpu cuda rocm centos debian nobody daemon static error info warn
                    warning and the for not all any name self args opt cfg config container model
                    debug trace critical fatal models main run job jobs work worker
                    steps journal facts bundle workflow
                    """
                            .strip()
                            .split("\\s+"));

    private static final Pattern PUBLIC_DOMAIN =
            Pattern.compile(
                    "(?i)(?:.*\\.)?(?:pytorch|nvidia|github|githubusercontent|amd|huggingface|python"
                            + "|kernel|debian|ubuntu|docker|readthedocs|apache|google|googleapis|pypi"
                            + "|open-mpi|schedmd|json-schema|w3)\\.[a-z]+");

    private static final Pattern WORD = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._-]*");
    private static final Pattern PART = Pattern.compile("[._-]");

    private static final int SHORTEST = 3;

    private final StableNames names;
    private final Map<String, String> words = new HashMap<>();

    private int longest;

    /** Too short to be looked for in the midst of text. */
    private final Map<String, String> shortHosts = new HashMap<>();

    PrivateWords(StableNames names) {
        this.names = names;
    }

    private static Place at(String needs, String regex) {
        return at(List.of(needs), regex);
    }

    private static Place at(List<String> needs, String regex) {
        return new Place(needs, Pattern.compile(regex));
    }

    /** Learns a host, by its full name and by its first part. */
    void host(String name) {
        String host = name.toLowerCase(Locale.ROOT);
        boolean address = host.matches("[0-9.]+");
        if (address || PUBLIC.contains(host) || PUBLIC_DOMAIN.matcher(host).matches()) {
            return;
        }
        if (host.length() < SHORTEST) {
            shortHosts.put(host, names.of("host", host));
            return;
        }
        String first = host.split("\\.", 2)[0];
        String stable = names.of("host", first);
        put(host, stable);
        if (!isPublic(first) && !first.matches("\\d+")) {
            put(first, stable);
        }
    }

    /** The stable name of a host whose name is too short to be found in text, or null. */
    String shortHost(String name) {
        return shortHosts.get(name.toLowerCase(Locale.ROOT));
    }

    void user(String name) {
        if (!isPublic(name.toLowerCase(Locale.ROOT))) {
            put(name.toLowerCase(Locale.ROOT), names.of("user", name));
        }
    }

    private void put(String word, String stable) {
        words.putIfAbsent(word, stable);
        longest = Math.max(longest, word.length());
    }

    private static boolean isPublic(String word) {
        return word.length() < SHORTEST || PUBLIC.contains(word);
    }

    void learn(String line) {
        each(HOST_PLACES, line, this::host);
        each(USER_PLACES, line, this::user);
        if (Texts.anyIn(line, NODE_LISTS)) {
            Matcher list = NODE_LIST.matcher(line);
            while (list.find()) {
                NodeList.expand(list.group(1)).forEach(this::host);
            }
        }
    }

    private static void each(List<Place> places, String line, Consumer<String> name) {
        for (Place place : places) {
            if (place.mayBeIn(line)) {
                Matcher matcher = place.pattern().matcher(line);
                while (matcher.find()) {
                    name.accept(matcher.group(1));
                }
            }
        }
    }

    String replace(String line) {
        String expanded = shortHosts.isEmpty() ? line : withoutShortHosts(line);
        if (Texts.anyIn(expanded, NODE_LISTS)) {
            expanded = NODE_LIST.matcher(expanded).replaceAll(PrivateWords::withExpandedList);
        }
        return WORD.matcher(expanded)
                .replaceAll(word -> Matcher.quoteReplacement(replaceWord(word.group())));
    }

    private String withoutShortHosts(String line) {
        String text = line;
        for (Place place : HOST_PLACES) {
            if (place.mayBeIn(text)) {
                text = place.pattern().matcher(text).replaceAll(this::withoutShortHost);
            }
        }
        return text;
    }

    private String withoutShortHost(MatchResult match) {
        String stable = shortHosts.get(match.group(1).toLowerCase(Locale.ROOT));
        StringBuilder text = new StringBuilder(match.group());
        if (stable != null) {
            text.replace(match.start(1) - match.start(), match.end(1) - match.start(), stable);
        }
        return Matcher.quoteReplacement(text.toString());
    }

    private static String withExpandedList(MatchResult match) {
        String whole = match.group();
        String list = match.group(1);
        String before = whole.substring(0, whole.length() - list.length());
        return Matcher.quoteReplacement(before + String.join(",", NodeList.expand(list)));
    }

    /** Each run of parts that is a private word is replaced, the longest first. */
    private String replaceWord(String word) {
        String lower = word.toLowerCase(Locale.ROOT);
        StringBuilder out = new StringBuilder();
        int start = 0;
        while (start < word.length()) {
            int end = privateEnd(lower, start);
            if (end > start) {
                out.append(words.get(lower.substring(start, end)));
            } else {
                Matcher cut = PART.matcher(word);
                end = cut.find(start) ? cut.end() : word.length();
                out.append(word, start, end);
            }
            start = end;
        }
        return out.toString();
    }

    /** Where the private word that begins here ends; the start itself when there is none. */
    private int privateEnd(String lower, int start) {
        boolean shortEnough = lower.length() - start <= longest;
        int end = shortEnough ? lower.length() : lastCut(lower, start, start + longest + 1);
        while (end > start && !words.containsKey(lower.substring(start, end))) {
            end = lastCut(lower, start, end);
        }
        return end;
    }

    /** Where the part before the last separator ends; start when there is none. */
    private static int lastCut(String word, int start, int end) {
        for (int i = end - 1; i > start; i--) {
            if (".-_".indexOf(word.charAt(i)) >= 0) {
                return i;
            }
        }
        return start;
    }
}
