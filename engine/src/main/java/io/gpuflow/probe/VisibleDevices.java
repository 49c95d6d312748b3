package io.gpuflow.probe;

import io.gpuflow.facts.Gpu;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads a list of visible devices as CUDA and HIP do: the first invalid entry ends it, an entry
 * given twice empties it. PyTorch's {@code torch/cuda/__init__.py} (_parse_visible_devices) does
 * the same.
 */
final class VisibleDevices {
    private VisibleDevices() {}

    /** Physical indexes by local rank. */
    static List<Integer> of(String value, List<Gpu> gpus) {
        return placesOf(value, gpus).stream().map(place -> gpus.get(place).index()).toList();
    }

    /** Places in the list of GPUs, by local rank. */
    static List<Integer> placesOf(String value, List<Gpu> gpus) {
        List<Integer> places = new ArrayList<>();
        boolean uuids = value.strip().startsWith("GPU-");
        for (String entry : value.split(",", -1)) {
            int place = uuids ? byUuid(entry.strip(), gpus) : byNumber(entry.strip());
            if (place < 0 || place >= gpus.size()) {
                break;
            }
            if (places.contains(place)) {
                return List.of();
            }
            places.add(place);
        }
        return places;
    }

    /** A number as C's strtoul reads it: what follows the digits is ignored; −1 for none. */
    private static int byNumber(String entry) {
        int end = !entry.isEmpty() && entry.charAt(0) == '+' ? 1 : 0;
        int start = end;
        while (end < entry.length() && Character.isDigit(entry.charAt(end))) {
            end++;
        }
        return end == start || end - start > 6 ? -1 : Integer.parseInt(entry.substring(start, end));
    }

    /** An abbreviated UUID counts when only one GPU has it. */
    private static int byUuid(String entry, List<Gpu> gpus) {
        int found = -1;
        for (int i = 0; i < gpus.size() && entry.startsWith("GPU-"); i++) {
            String uuid = gpus.get(i).uuid();
            if (uuid != null && uuid.startsWith(entry)) {
                if (found >= 0) {
                    return -1;
                }
                found = i;
            }
        }
        return found;
    }
}
