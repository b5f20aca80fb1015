package org.trueasync.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The patches of stress/planted, which .ci/planted tries: each says what it is and still applies. */
class PlantedFaultsTest {
    private static final Path ROOT = DecisionNote.ROOT;

    private static List<Path> patches() throws IOException {
        try (Stream<Path> files = Files.list(ROOT.resolve("stress/planted"))) {
            return files.filter(f -> f.toString().endsWith(".patch")).sorted().toList();
        }
    }

    @Test
    void patch_saysWhatItIs_andNamesTestsThatExist() throws IOException {
        Set<String> tests;
        try (Stream<Path> files = Files.walk(ROOT, 12)) {
            tests = files.filter(f -> f.toString().endsWith("Test.java"))
                    .map(f -> ROOT.relativize(f).getName(0) + ":"
                            + f.getFileName().toString().replace(".java", ""))
                    .collect(Collectors.toSet());
        }
        var faults = new ArrayList<String>();
        for (Path patch : patches()) {
            List<String> head =
                    Files.readString(patch).lines().takeWhile(l -> !l.isEmpty()).toList();
            if (head.size() != 4
                    || !head.get(0).matches("kind: (kernel|primitive|io|http|jdbc)")
                    || !head.get(1).matches("depth: [123]")
                    || !head.get(2).matches("seen: .+\\.")
                    || !head.get(3).matches("tests: \\S+:\\S+( \\S+:\\S+)*")) {
                faults.add(patch.getFileName() + ": its first lines are not kind, depth, seen and tests");
                continue;
            }
            for (String some : head.get(3).substring("tests: ".length()).split(" "))
                for (String test : some.substring(some.indexOf(':') + 1).split(","))
                    if (!tests.contains(some.substring(0, some.indexOf(':') + 1) + test))
                        faults.add(patch.getFileName() + ": no test " + test + " in " + some);
        }
        assertThat(faults).isEmpty();
        assertThat(patches()).hasSizeGreaterThanOrEqualTo(40);
    }

    @Test
    void patch_applies() throws Exception {
        assumeTrue(Files.exists(ROOT.resolve(".git")), "the sources are not in git");
        var faults = new ArrayList<String>();
        for (Path patch : patches()) {
            Process check = new ProcessBuilder("git", "apply", "--check", patch.toString())
                    .directory(ROOT.toFile())
                    .redirectErrorStream(true)
                    .start();
            String said = new String(check.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (check.waitFor() != 0) faults.add("renew " + patch.getFileName() + ": " + said);
        }
        assertThat(faults).isEmpty();
    }
}
