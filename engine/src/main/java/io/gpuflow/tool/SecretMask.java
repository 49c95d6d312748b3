package io.gpuflow.tool;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.net.URLEncoder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Replaces declared secret values in a stream by {@code ***}, also one that is cut in two by the
 * ends of buffers. Each line of a value and its JSON spelling are masked as well.
 */
final class SecretMask {
    /** Shorter values would mask ordinary text all over and make the output unreadable. */
    static final int SHORTEST = 4;

    static final String MASK = "***";

    private static final byte[] MASK_BYTES = MASK.getBytes(UTF_8);

    private final List<byte[]> secrets = new ArrayList<>();
    private final boolean[] begins = new boolean[256];
    private final boolean keepLength;
    private byte[] held = new byte[0];
    private boolean found;

    SecretMask(Collection<String> values) {
        this(values, false);
    }

    /**
     * @param keepLength put as many characters in its place as the secret has
     */
    SecretMask(Collection<String> values, boolean keepLength) {
        this.keepLength = keepLength;
        for (String value : spellings(values)) {
            byte[] bytes = value.getBytes(UTF_8);
            secrets.add(bytes);
            begins[bytes[0] & 0xff] = true;
        }
    }

    /** Whether a secret was seen so far. */
    boolean found() {
        return found;
    }

    private static List<String> spellings(Collection<String> values) {
        Set<String> all = new LinkedHashSet<>();
        for (String value : values) {
            all.add(value);
            all.addAll(List.of(value.split("\\R")));
            all.add(URLEncoder.encode(value, UTF_8));
            all.add(value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n"));
        }
        all.removeIf(value -> value.length() < SHORTEST);
        List<String> longestFirst = new ArrayList<>(all);
        longestFirst.sort(Comparator.comparingInt(String::length).reversed());
        return longestFirst;
    }

    static String mask(String text, Collection<String> values) {
        String masked = text;
        for (String value : spellings(values)) {
            masked = masked.replace(value, MASK);
        }
        return masked;
    }

    /** The next bytes, masked; the beginning of what may be a secret is held back. */
    byte[] next(byte[] bytes, int count) {
        if (secrets.isEmpty()) {
            return Arrays.copyOf(bytes, count);
        }
        byte[] all = Arrays.copyOf(held, held.length + count);
        System.arraycopy(bytes, 0, all, held.length, count);
        return masked(all, true);
    }

    /** What was held back, when no more comes. */
    byte[] rest() {
        return masked(held, false);
    }

    private byte[] masked(byte[] all, boolean more) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(all.length);
        int at = 0;
        held = new byte[0];
        while (at < all.length) {
            if (!begins[all[at] & 0xff]) {
                out.write(all[at++]);
                continue;
            }
            // First: a short secret may be the beginning of a longer one.
            if (more && mayBegin(all, at)) {
                held = Arrays.copyOfRange(all, at, all.length);
                break;
            }
            byte[] secret = secretAt(all, at);
            if (secret != null) {
                out.writeBytes(keepLength ? "*".repeat(secret.length).getBytes(UTF_8) : MASK_BYTES);
                found = true;
                at += secret.length;
            } else {
                out.write(all[at++]);
            }
        }
        return out.toByteArray();
    }

    private byte[] secretAt(byte[] all, int at) {
        for (byte[] secret : secrets) {
            if (at + secret.length <= all.length
                    && Arrays.equals(all, at, at + secret.length, secret, 0, secret.length)) {
                return secret;
            }
        }
        return null;
    }

    private boolean mayBegin(byte[] all, int at) {
        int left = all.length - at;
        for (byte[] secret : secrets) {
            if (left < secret.length && Arrays.equals(all, at, all.length, secret, 0, left)) {
                return true;
            }
        }
        return false;
    }
}
