package io.gpuflow.tool;

import io.gpuflow.facts.VirtualAddress;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Replaces what is private by stable names, so that a report can leave the house: hosts, addresses,
 * users, paths, tokens, serial numbers and UUIDs become host-1, ip-1, user-1 … and the same thing
 * has the same name in everything that passes one Redactor. What a diagnosis needs stays: PCI
 * addresses, ranks, versions, devices, system paths, file names and line numbers, and that an
 * address is link-local or a virtual bridge's.
 */
public final class Redactor {
    private static final Pattern ASSIGNMENT =
            Pattern.compile(
                    "\\b([A-Za-z][A-Za-z0-9_.-]{0,80})(\"?[ \\t]*[=:][ \\t]*)(\"[^\"]*\"|'[^']*'|[^\\s,;]+)");

    private static final Pattern TOKEN =
            Pattern.compile(
                    "\\b(?:hf_|ghp_|gho_|ghs_|github_pat_|glpat-|sk-|xox[abp]-|nvapi-|wandb_v1_)"
                            + "[A-Za-z0-9_-]{16,}"
                            + "|\\bAKIA[A-Z0-9]{16}\\b"
                            + "|\\beyJ[A-Za-z0-9_-]{10,}\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]*"
                            + "|(?<=(?i:bearer |basic ))[A-Za-z0-9._~+/=-]{8,}"
                            + "|(?<=://[^/\\s:@]{1,64}:)[^/\\s@]+(?=@)");

    /** One of these is in each token. */
    private static final List<String> TOKENS =
            List.of(
                    "hf_",
                    "ghp_",
                    "gho_",
                    "ghs_",
                    "github_pat_",
                    "glpat-",
                    "sk-",
                    "xox",
                    "nvapi-",
                    "wandb_v1_",
                    "AKIA",
                    "eyJ",
                    "earer ",
                    "EARER ",
                    "asic ",
                    "ASIC ",
                    "://");

    private static final Pattern UUID =
            Pattern.compile(
                    "(?i)\\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\\b");

    private static final Pattern MAC_OR_GUID =
            Pattern.compile(
                    "(?i)(?<![0-9a-f:])(?:(?:[0-9a-f]{2}:){5,19}[0-9a-f]{2}"
                            + "|(?:[0-9a-f]{4}:){3}[0-9a-f]{4})(?![0-9a-f:])"
                            + "|(?<=guid[\"' :=\\t]{1,12})(?:0x)?[0-9a-f]{12,16}\\b");

    private static final Pattern SERIAL =
            Pattern.compile(
                    "(?i)(serial(?:[ _-]?(?:number|no\\.?|num))?\"?[ \\t]*[:=>][ \\t]*\"?)"
                            + "([A-Z0-9][A-Z0-9/-]{4,})");

    private static final Pattern IPV4 =
            Pattern.compile(
                    "(?<![\\w.])(?<![A-Za-z]-)(?:\\d{1,3}\\.){3}\\d{1,3}(?!\\.?\\w|-[A-Za-z])");

    private static final Pattern IPV6 =
            Pattern.compile(
                    "(?i)(?<![\\w:.])(?:(?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4}"
                            + "|(?:[0-9a-f]{1,4}:){1,6}(?::[0-9a-f]{1,4}){1,6})(?![\\w:])");

    /** What stands before four numbers that are a version, as in pip's list. */
    private static final Pattern VERSION_BEFORE =
            Pattern.compile(
                    "(?i)(?:version|release|driver|firmware|\\bfw|\\bver\\.?|[=~<>!]=|-cu\\d+|cudnn"
                            + "|cublas|cufft|curand|cusolver|cusparse|nvtx|nvjitlink)[\\w\"]*[\\s:=(\"]*$");

    /** The name column of a list of packages. */
    private static final Pattern COLUMN_BEFORE = Pattern.compile("[A-Za-z][\\w.-]*[ \\t]{2,}");

    private static final Pattern PRIVATE_RANGE =
            Pattern.compile(
                    "^(?:10\\.|192\\.168\\.|172\\.(?:1[6-9]|2\\d|3[01])\\.|169\\.254\\."
                            + "|100\\.(?:6[4-9]|[7-9]\\d|1[01]\\d|12[0-7])\\.)");

    private static final Pattern PATH =
            Pattern.compile("(?<![\\w./:}-])(/[\\w.@%+~-]+(?:/[\\w.@%+~=-]++)*+)/?");

    private static final List<String> SYSTEM =
            List.of(
                    "usr", "lib", "lib64", "bin", "sbin", "etc", "opt", "dev", "proc", "sys", "run",
                    "var", "boot", "root", "nix", "snap", "pytorch");

    private static final Pattern HOST_FIELD =
            Pattern.compile("(?i)hosts?|host_?names?|nodes?|node_?names?");

    private static final Pattern VERSION_FIELD =
            Pattern.compile("(?i).*(?:version|driver|firmware|bios|nccl|cuda).*");

    private static final Pattern VERSION = Pattern.compile("[\\d.]+(?:[-+]\\w+)?");

    /** Names of variables, and of fields that hold a number only their name makes private. */
    private static final Pattern SAYING_FIELD =
            Pattern.compile("[A-Z][A-Z0-9_]+|(?i:user|user_?name|.*serial.*|.*guid.*)");

    private static final int LONGEST = 8192;

    private static final List<String> PACKAGES =
            List.of("/site-packages/", "/dist-packages/", "/lib/python3");

    private static final List<String> HOMES = List.of("home", "Users");

    private final StableNames names = new StableNames();
    private final PrivateWords words = new PrivateWords(names);

    /** Hosts known to be private; more are learned from where they stand in a text. */
    public void hosts(Collection<String> hosts) {
        hosts.forEach(words::host);
    }

    public void users(Collection<String> users) {
        users.forEach(words::user);
    }

    /**
     * Takes note of the names in a text. Called for everything that will be redacted before the
     * first of it is, it lets a name be found also above the line that gives it away.
     */
    public void learn(String text) {
        forEachLine(text, words::learn);
    }

    /** Learns from the text, then returns it without what is private. */
    public String redact(String text) {
        learn(text);
        StringBuilder out = new StringBuilder(text.length());
        forEachLine(text, line -> out.append(redactLine(line)));
        return out.toString();
    }

    /** Likewise of a value whose field tells what it is. */
    public void learn(String field, String value) {
        if (HOST_FIELD.matcher(field).matches()) {
            words.host(value);
        } else if (SAYING_FIELD.matcher(field).matches()) {
            learn(field + "=" + value);
        } else {
            learn(value);
        }
    }

    /** The value of a field of a record, whose name may tell what the value alone does not. */
    public String redact(String field, String value) {
        if (HOST_FIELD.matcher(field).matches()) {
            words.host(value);
            String host = words.shortHost(value);
            return host != null ? host : redact(value);
        }
        if (VERSION_FIELD.matcher(field).matches() && VERSION.matcher(value).matches()) {
            return value;
        }
        if (SAYING_FIELD.matcher(field).matches()) {
            String head = field + "=";
            String whole = redact(head + value);
            if (whole.startsWith(head)) {
                return whole.substring(head.length());
            }
        }
        return redact(value);
    }

    /** Lines with their ends; very long ones in pieces, cut between words where that can be. */
    private static void forEachLine(String text, Consumer<String> action) {
        int at = 0;
        while (at < text.length()) {
            int end = text.indexOf('\n', at);
            int next = end < 0 ? text.length() : end + 1;
            if (next - at > LONGEST) {
                next = at + LONGEST;
                while (next > at + LONGEST / 2 && !isGap(text.charAt(next - 1))) {
                    next--;
                }
            }
            action.accept(text.substring(at, next));
            at = next;
        }
    }

    private static boolean isGap(char c) {
        return c == ' ' || c == ',' || c == '"' || c == '\t' || c == ';';
    }

    private String redactLine(String line) {
        String text = line;
        if (text.indexOf('=') >= 0 || text.indexOf(':') >= 0) {
            text = ASSIGNMENT.matcher(text).replaceAll(Redactor::withoutSecret);
        }
        if (Texts.anyIn(text, TOKENS)) {
            text = TOKEN.matcher(text).replaceAll(Matcher.quoteReplacement(Redaction.MASK));
        }
        if (text.indexOf('-') >= 0) {
            text = UUID.matcher(text).replaceAll(this::uuid);
        }
        if (text.toLowerCase(Locale.ROOT).contains("serial")) {
            text = SERIAL.matcher(text).replaceAll(this::serial);
        }
        // Most lines can hold none of these, and a look at the colons and dots is quick.
        int colons = count(text, ':');
        if (colons >= 3 || text.toLowerCase(Locale.ROOT).contains("guid")) {
            text = MAC_OR_GUID.matcher(text).replaceAll(match -> named("guid", match.group()));
        }
        if (count(text, '.') >= 3) {
            text = replaceV4(text);
        }
        if (colons >= 7 || text.contains("::")) {
            text = IPV6.matcher(text).replaceAll(this::v6);
        }
        if (text.indexOf('/') >= 0) {
            text = PATH.matcher(text).replaceAll(this::path);
        }
        return words.replace(text);
    }

    private static String withoutSecret(MatchResult match) {
        // A key alone is one of a store or a dictionary.
        boolean named = Redaction.isSecret(match.group(1)) && !match.group(1).matches("(?i)keys?");
        boolean secret = named && !isPlain(match.group(3));
        String value = secret ? Redaction.MASK : match.group(3);
        return Matcher.quoteReplacement(match.group(1) + match.group(2) + value);
    }

    /** A number or a truth value beside a word such as key= or token: gives nothing away. */
    private static boolean isPlain(String value) {
        return value.matches("(?i)[\\d.]{1,9}|true|false|none|null|yes|no|\"\"|''");
    }

    /** A UUID stays one, since parsers look for its shape; one of zeros means "none" and stays. */
    private String uuid(MatchResult match) {
        String value = match.group().toLowerCase(Locale.ROOT);
        if (value.startsWith("00000000-0000-0000-0000-0")) {
            return value;
        }
        return names.of(
                "uuid", value, number -> String.format("00000000-0000-0000-0000-%012d", number));
    }

    private String serial(MatchResult match) {
        return Matcher.quoteReplacement(match.group(1)) + named("serial", match.group(2));
    }

    private String named(String kind, String value) {
        return names.of(kind, value.toLowerCase(Locale.ROOT));
    }

    private static int count(String text, char wanted) {
        int count = 0;
        for (int i = 0; i < text.length(); i++) {
            count += text.charAt(i) == wanted ? 1 : 0;
        }
        return count;
    }

    private String replaceV4(String line) {
        return IPV4.matcher(line)
                .replaceAll(
                        match -> {
                            String before = line.substring(0, match.start());
                            boolean keep = isNoAddress(before, match.group());
                            return keep ? match.group() : address(match.group());
                        });
    }

    private static boolean isNoAddress(String before, String numbers) {
        String near = before.substring(Math.max(0, before.length() - 60));
        return isNobodys(numbers)
                || VERSION_BEFORE.matcher(near).find()
                || COLUMN_BEFORE.matcher(near).matches() && !PRIVATE_RANGE.matcher(numbers).find();
    }

    private String v6(MatchResult match) {
        boolean loopback = match.group().matches("[0:]*1?");
        return loopback ? match.group() : address(match.group());
    }

    /**
     * What kind of address it is stays, where that tells a fault: one of its own link, or of the
     * virtual bridge that every machine has.
     */
    private String address(String address) {
        String value = address.toLowerCase(Locale.ROOT);
        if (value.startsWith("fe80:")) {
            return names.of("link6", value, n -> "fe80::" + Integer.toHexString(n));
        }
        if (value.startsWith("169.254.")) {
            return names.of("link4", value, n -> "169.254." + n / 250 + "." + (n % 250 + 1));
        }
        return VirtualAddress.is(value) ? value : named("ip", value);
    }

    /** Loopback, "any" and masks say nothing about a network; numbers over 255 are no address. */
    private static boolean isNobodys(String address) {
        for (String number : address.split("\\.")) {
            if (Integer.parseInt(number) > 255) {
                return true;
            }
        }
        return address.startsWith("127.") || address.startsWith("0.") || address.startsWith("255.");
    }

    /**
     * System paths stay; of any other the folders become one name and the file's name stays. What
     * tells the user's own code from a library stays, too.
     */
    private String path(MatchResult match) {
        String path = match.group(1);
        String[] parts = path.substring(1).split("/");
        if (parts.length == 2 && HOMES.contains(parts[0])) {
            return Matcher.quoteReplacement("/home/" + names.of("user", parts[1]));
        }
        if (parts.length < 2 || SYSTEM.contains(parts[0]) && !path.startsWith("/root/")) {
            return Matcher.quoteReplacement(match.group());
        }
        int last = path.lastIndexOf('/');
        int cut = packages(path);
        String kept = path.substring(cut < 0 ? last : cut);
        if (cut < 0 && path.contains("/torch/")) {
            kept = "/torch" + kept;
        }
        String folder = names.of("path", path.substring(0, cut < 0 ? last : cut));
        return Matcher.quoteReplacement("/" + folder + kept);
    }

    /** Where the path of installed packages begins, below which all names are public; or −1. */
    private static int packages(String path) {
        for (String folder : PACKAGES) {
            int at = path.indexOf(folder);
            if (at > 0) {
                return at;
            }
        }
        return -1;
    }
}
