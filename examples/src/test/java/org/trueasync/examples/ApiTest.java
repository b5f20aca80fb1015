package org.trueasync.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What each module exports is what its file {@code api.txt} says, so that no signature changes unseen. */
class ApiTest {
    /** With it, the files are written anew. */
    private static final String ACCEPT = "trueasync.api.accept";

    static Stream<PublishedModule> modules() {
        return PublishedModule.all();
    }

    @ParameterizedTest
    @MethodSource("modules")
    void signaturesOfTheModule_areThoseThatWereAccepted(PublishedModule module) throws Exception {
        Path accepted = module.folder().resolve("api.txt");
        List<String> signatures = new ArrayList<>();
        for (Class<?> exported : module.exportedClasses()) signatures.addAll(Signatures.of(exported));
        assertThat(signatures).isNotEmpty().noneMatch(line -> line.contains(".internal."));
        if (System.getProperty(ACCEPT) != null) {
            Files.write(accepted, signatures);
            return;
        }
        List<String> differences = differences(Files.readAllLines(accepted), signatures);
        assertThat(differences)
                .as(
                        "%s/api.txt; if users may see this change, write it anew: mvn test -Dtest=ApiTest"
                                + " -Dsurefire.failIfNoSpecifiedTests=false -D%s",
                        module, ACCEPT)
                .isEmpty();
    }

    /** Lines of one side only, each member with its class. */
    private static List<String> differences(List<String> accepted, List<String> now) {
        List<String> before = withClasses(accepted);
        List<String> after = withClasses(now);
        List<String> differences = new ArrayList<>();
        before.stream().filter(line -> !after.contains(line)).forEach(line -> differences.add("- " + line));
        after.stream().filter(line -> !before.contains(line)).forEach(line -> differences.add("+ " + line));
        return differences;
    }

    private static List<String> withClasses(List<String> lines) {
        List<String> all = new ArrayList<>();
        String type = "";
        for (String line : lines) {
            if (line.startsWith(" ")) {
                all.add(type + ": " + line.strip());
            } else {
                type = line.replaceFirst(".*?(?:class|interface|enum|record) ([\\w.$]+).*", "$1");
                all.add(line);
            }
        }
        return all;
    }
}
