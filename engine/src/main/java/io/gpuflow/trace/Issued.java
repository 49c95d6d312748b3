package io.gpuflow.trace;

import java.util.Arrays;
import java.util.Comparator;

/**
 * The collectives that one rank issued in one group, by number. A recorder keeps them in order, so
 * a number is found by its distance from the first; any other order is sorted once.
 */
final class Issued implements Stream.Calls {
    private Call[] calls = new Call[16];
    private int size;
    private boolean ascending = true;

    void add(Call call) {
        if (size == calls.length) {
            calls = Arrays.copyOf(calls, size * 2);
        }
        if (size > 0 && calls[size - 1].sequence() == call.sequence()) {
            calls[size - 1] = whole(calls[size - 1], call);
            return;
        }
        ascending &= size == 0 || calls[size - 1].sequence() < call.sequence();
        calls[size++] = call;
    }

    /** A coalesced call and its parts bear one number; the whole stands for them. */
    private static Call whole(Call before, Call call) {
        return call.operation().equals("coalesced") ? call : before;
    }

    private void settle() {
        if (ascending) {
            return;
        }
        Call[] unsorted = Arrays.copyOf(calls, size);
        Arrays.sort(unsorted, Comparator.comparingLong(Call::sequence));
        size = 0;
        ascending = true;
        for (Call call : unsorted) {
            add(call);
        }
    }

    int size() {
        settle();
        return size;
    }

    /** In ascending order of their numbers. */
    Call get(int place) {
        return calls[place];
    }

    /** Ascending. */
    long[] numbers() {
        settle();
        long[] numbers = new long[size];
        for (int i = 0; i < size; i++) {
            numbers[i] = calls[i].sequence();
        }
        return numbers;
    }

    @Override
    public Call at(long sequence) {
        settle();
        if (size == 0) {
            return null;
        }
        long guess = sequence - calls[0].sequence();
        if (guess >= 0 && guess < size && calls[(int) guess].sequence() == sequence) {
            return calls[(int) guess];
        }
        int from = 0;
        int to = size;
        while (from < to) {
            int middle = (from + to) >>> 1;
            if (calls[middle].sequence() < sequence) {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        return from < size && calls[from].sequence() == sequence ? calls[from] : null;
    }
}
