package org.trueasync.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The BOM has what is published, and nothing else. */
class BomTest {
    private static final Path ROOT = Path.of("").toAbsolutePath().getParent();
    private static final Pattern MODULE = Pattern.compile("<module>(.*)</module>");
    private static final Pattern ARTIFACT = Pattern.compile("<artifactId>(.*)</artifactId>");

    @Test
    void publishedModule_isInTheBom() throws IOException {
        List<String> published = all(MODULE, Files.readString(ROOT.resolve("pom.xml"))).stream()
                .map(BomTest::pom)
                .filter(pom -> !pom.contains("<maven.deploy.skip>true<") && !pom.contains("<packaging>pom<"))
                .map(pom ->
                        all(ARTIFACT, pom.substring(pom.indexOf("</parent>"))).getFirst())
                .toList();
        String bom = pom("bom");
        String managed = bom.substring(bom.indexOf("<dependencyManagement>"), bom.indexOf("</dependencyManagement>"));
        assertThat(published).contains("trueasync", "trueasync-core");
        assertThat(all(ARTIFACT, managed)).containsExactlyInAnyOrderElementsOf(published);
    }

    private static String pom(String module) {
        try {
            return Files.readString(ROOT.resolve(module).resolve("pom.xml"));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static List<String> all(Pattern pattern, String text) {
        return pattern.matcher(text).results().map(found -> found.group(1)).collect(Collectors.toList());
    }
}
