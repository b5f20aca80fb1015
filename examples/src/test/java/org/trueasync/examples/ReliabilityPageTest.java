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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The pages that say how promises are tested, and what holds attackers off, name tests that are there. */
class ReliabilityPageTest {
    @ParameterizedTest
    @ValueSource(strings = {"reliability", "threat-model"})
    void testsThatAPageNames_areThere(String name) throws IOException {
        String page = Files.readString(Path.of("../docs/" + name + ".md"));
        Set<String> named = Pattern.compile("`(\\w+(?:Test|Conformance|Nightly))`")
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
