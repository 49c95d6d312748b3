package io.gpuflow.rules.build;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/**
 * A hash of all that the compiled rules depend on: the rule files, the fact records that they read
 * and the classes that compile them.
 */
final class RuleStamp {
    private RuleStamp() {}

    static String of(Path rules, Path classes) throws IOException {
        MessageDigest digest = sha256();
        add(digest, rules, "rule.drl", "rule.yaml", "causes.txt");
        add(digest, classes.resolve("io/gpuflow/facts"), ".class");
        add(digest, classes.resolve("io/gpuflow/rules"), ".class");
        return HexFormat.of().formatHex(digest.digest());
    }

    private static void add(MessageDigest digest, Path root, String... endings) throws IOException {
        List<Path> files;
        try (Stream<Path> walk = Files.walk(root)) {
            files = walk.filter(p -> endsWith(p, endings)).sorted().toList();
        }
        for (Path file : files) {
            digest.update(root.relativize(file).toString().getBytes());
            digest.update(Files.readAllBytes(file));
        }
    }

    private static boolean endsWith(Path path, String... endings) {
        return Stream.of(endings).anyMatch(path.toString()::endsWith);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
