package org.trueasync.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The page that says how promises are tested names tests that are there. */
class ReliabilityPageTest {
    @Test
    void testsThatItNames_areThere() throws IOException {
        String page = Files.readString(Path.of("../docs/reliability.md"));
        Set<String> named = Pattern.compile("`(\\w+(?:Test|Conformance))`")
                .matcher(page)
                .results()
                .map(found -> found.group(1) + ".java")
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(named).hasSizeGreaterThan(40);

        var known = new HashSet<String>();
        for (Path file : LineLengthTest.files("java"))
            known.add(file.getFileName().toString());
        named.removeAll(known);
        assertThat(named).isEmpty();
    }
}
