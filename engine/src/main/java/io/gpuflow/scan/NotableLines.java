package io.gpuflow.scan;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;

/** The lines of a text that hold what a signature looks for, each with some that follow. */
public final class NotableLines {
    /** A message goes on for some lines, a traceback for more. */
    private static final int FOLLOWING = 12;

    private final Signatures signatures;

    public NotableLines(Signatures signatures) {
        this.signatures = signatures;
    }

    /** These lines of a piece of a log that begins and ends with a line. */
    public byte[] of(byte[] lines) throws IOException {
        ByteArrayOutputStream kept = new ByteArrayOutputStream();
        LineScanner.Receiver receiver =
                new LineScanner.Receiver() {
                    @Override
                    public int line(LineScanner.Line line) {
                        kept.write(line.buffer, line.start, line.end - line.start);
                        kept.write('\n');
                        return line.textCount > 0 ? FOLLOWING : 0;
                    }

                    @Override
                    public void end(byte[] buffer, int from, int to) {}
                };
        new LineScanner(signatures.automaton(), receiver)
                .scan(new ByteArrayInputStream(lines), lines.length);
        return kept.toByteArray();
    }
}
