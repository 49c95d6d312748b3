package io.gpuflow.yaml;

/**
 * A place in a file.
 *
 * @param line from 1
 * @param column from 1, in characters (code points)
 */
public record Position(String file, int line, int column) implements Comparable<Position> {
    @Override
    public int compareTo(Position other) {
        int order = file.compareTo(other.file);
        order = order != 0 ? order : Integer.compare(line, other.line);
        return order != 0 ? order : Integer.compare(column, other.column);
    }

    @Override
    public String toString() {
        return file + ":" + line + ":" + column;
    }
}
