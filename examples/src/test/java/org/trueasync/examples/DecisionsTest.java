package org.trueasync.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The notes of docs/decisions: each says whether it holds, the index is made of them, and what they name exists. */
class DecisionsTest {
    /** With it, the index is written anew. */
    private static final String ACCEPT = "trueasync.decisions.accept";

    private static final Path INDEX = DecisionNote.FOLDER.resolve("README.md");

    /** What is neither ours nor the JDK's. */
    private static final Set<String> OF_OTHERS = Set.of(
            "Uninterruptibles", // Guava
            "CannotCreateTransactionException", // Spring
            "JdbcTemplate",
            "SpringApplication.run",
            "TransactionTemplate",
            "@Scheduled",
            "@SpringBootTest",
            "EntryOperation", // Hazelcast
            "FencedLock",
            "IExecutorService",
            "IMap",
            "IQueue",
            "QueryPartitionOperation",
            "Ringbuffer",
            "ContextRegistry", // Micrometer
            "ContextSnapshot",
            "HTTP2Session", // Jetty
            "HpackContext",
            "HpackDecoder",
            "HttpParser",
            "NBitStringDecoder",
            "SimpleFileServer", // jdk.httpserver
            "Authorization", // header fields
            "Upgrade",
            "UseCHA"); // a flag of the JVM's

    /** What notes name to say that it is gone. */
    private static final Set<String> GONE = Set.of("VoidTask");

    @Test
    void status_saysByWhichNoteItIsReplaced_andThatOneSaysItToo() throws IOException {
        Map<String, DecisionNote> notes =
                DecisionNote.all().stream().collect(Collectors.toMap(DecisionNote::number, Function.identity()));
        List<String> faults = new ArrayList<>();
        for (DecisionNote note : notes.values()) {
            if (note.isHistory() != note.path().startsWith("history/"))
                faults.add(note.path() + ": history, and nothing else, is in the folder history");
            if (note.status().equals(DecisionNote.PART) == note.replacedBy().isEmpty() && !note.isHistory())
                faults.add(note.path() + ": " + note.status() + ", and replaced by " + note.replacedBy());
            for (String by : note.replacedBy()) {
                DecisionNote other = notes.get(by);
                if (other == null || !other.text().contains(note.number()))
                    faults.add(note.path() + ": replaced by " + by + ", which does not say so");
            }
        }
        assertThat(faults).isEmpty();
        assertThat(notes).hasSizeGreaterThan(100);
    }

    @Test
    void index_isMadeOfTheNotes() throws IOException {
        String index = Files.readString(INDEX);
        String made = DecisionNote.index(DecisionNote.all(), index);
        if (System.getProperty(ACCEPT) != null) {
            Files.writeString(INDEX, made);
            return;
        }
        assertThat(index)
                .as("docs/decisions/README.md; write it anew: mvn test -Dtest=DecisionsTest"
                        + " -Dsurefire.failIfNoSpecifiedTests=false -D" + ACCEPT)
                .isEqualTo(made);
    }

    @Test
    void whatTheNotesName_exists() throws IOException {
        var names = new NamesOfTypes();
        List<String> faults = new ArrayList<>();
        Set<String> notNamed = new TreeSet<>(OF_OTHERS);
        notNamed.addAll(GONE);
        for (DecisionNote note : DecisionNote.all()) {
            if (note.isHistory()) continue;
            for (String name : names.unknown(note.text())) {
                notNamed.remove(name);
                if (!OF_OTHERS.contains(name) && !GONE.contains(name)) faults.add(note.path() + ": " + name);
            }
        }
        assertThat(notNamed).as("what is listed here, and no note names").isEmpty();
        assertThat(faults)
                .as("neither a type of ours, with that member, nor one of the JDK's")
                .isEmpty();
        assertThat(names.unknown("`NoSuchClass`, `Async.noSuchMethod`, `Async.spawn`, `Map.Entry`, `x.y.NoSuch(..)`"))
                .containsExactlyInAnyOrder("NoSuchClass", "Async.noSuchMethod", "x.y.NoSuch(..)");
    }

    @Test
    void linksBetweenPages_leadToFiles() throws IOException {
        List<String> faults = new ArrayList<>();
        var link = Pattern.compile("]\\(([^)#\\s]+)(?:#[^)]*)?\\)");
        for (Path page : LineLengthTest.files("md")) {
            String prose = Files.readString(page)
                    .replaceAll("(?sm)^ *```.*?^ *```", "")
                    .replaceAll("`[^`\n]*`", "");
            link.matcher(prose)
                    .results()
                    .map(found -> found.group(1))
                    .filter(target -> !target.matches("[a-z]+:.*|/.*"))
                    .filter(target -> !Files.exists(page.resolveSibling(target)))
                    .forEach(target -> faults.add(DecisionNote.ROOT.relativize(page) + " links to " + target));
        }
        assertThat(faults).isEmpty();
    }
}
