package io.gpuflow.trace;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * A dict as it stood in a dump: keys and values in the order they were set. A dump has millions of
 * small ones, each read once, so nothing is hashed until a large one is asked.
 */
final class Dict {
    static final Dict EMPTY = new Dict();

    /** Up to here looking at each key costs less than a table. */
    private static final int SMALL = 32;

    private Object[] pairs = {};
    private int used;
    private Map<Object, Integer> places;

    int size() {
        return used / 2;
    }

    /** The key at a place: a text or a number. */
    Object key(int at) {
        return pairs[2 * at];
    }

    Object value(int at) {
        return pairs[2 * at + 1];
    }

    /** The value that was set last, or null. */
    Object get(Object key) {
        int place = place(key);
        return place < 0 ? null : value(place);
    }

    boolean has(Object key) {
        return place(key) >= 0;
    }

    /** Where the key was set last, or −1. */
    int place(Object key) {
        if (used > 2 * SMALL) {
            return table().getOrDefault(key, -1);
        }
        for (int i = size() - 1; i >= 0; i--) {
            if (key(i).equals(key)) {
                return i;
            }
        }
        return -1;
    }

    private Map<Object, Integer> table() {
        if (places == null) {
            places = new HashMap<>();
            for (int i = 0; i < size(); i++) {
                places.put(key(i), i);
            }
        }
        return places;
    }

    void put(Object key, Object value) {
        putAll(new Object[] {key, value});
    }

    /**
     * @param more keys and values in turn; taken over, not copied, where that is possible
     */
    void putAll(Object[] more) {
        int count = more.length & ~1;
        for (int i = 0; i < count; i += 2) {
            more[i] = key(more[i]);
        }
        if (used == 0) {
            pairs = more;
        } else {
            if (used + count > pairs.length) {
                pairs = Arrays.copyOf(pairs, Math.max(used + count, pairs.length * 2));
            }
            System.arraycopy(more, 0, pairs, used, count);
        }
        used += count;
        places = null;
    }

    /** Only texts and numbers are keys: hashing a nested container could cost without bound. */
    private static Object key(Object key) {
        return key instanceof String || key instanceof Long ? key : String.valueOf(key == null);
    }
}
