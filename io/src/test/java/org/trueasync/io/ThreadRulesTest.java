package org.trueasync.io;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Each public type says in its javadoc which threads may call it, and names the methods that differ: the same that
 * {@link EveryMethodConformance} has found to answer on every thread.
 */
@Tag("K1")
class ThreadRulesTest {
    private static final List<String> PLACES = List.of(
            "../core/src/main/java/org/trueasync",
            "src/main/java/org/trueasync/io",
            "../core/src/main/java/org/trueasync/spi",
            "../jdbc/src/main/java/org/trueasync/jdbc");

    private static final Pattern RULE = Pattern.compile(
            "(?i)any thread|loop thread only|called on |not thread-safe|belongs to (whoever|the thread)");

    private static final Pattern LOOP = Pattern.compile("(?i)loop thread only");

    /** They make something that refuses by itself when it is used. */
    private static final Set<String> MAKERS = Set.of("iterator", "stream");

    private record Type(String name, String javadoc, String source) {}

    private static List<Type> types() throws IOException {
        var types = new ArrayList<Type>();
        for (String place : PLACES) {
            try (Stream<Path> files = Files.list(Path.of(place))) {
                for (Path file : files.sorted().toList()) {
                    String name = file.getFileName().toString().replace(".java", "");
                    String source = Files.isRegularFile(file) ? Files.readString(file) : "";
                    Matcher declaration = Pattern.compile(
                                    "(?m)^public ([a-z-]+ )*(class|interface|enum|record) " + name + "\\b")
                            .matcher(source);
                    if (declaration.find())
                        types.add(new Type(name, lastJavadoc(source.substring(0, declaration.start())), source));
                }
            }
        }
        assertThat(types).hasSizeGreaterThan(120);
        return types;
    }

    private static String lastJavadoc(String before) {
        int begin = before.lastIndexOf("/**");
        return begin < 0 ? "" : before.substring(begin).replaceAll("\\s*\\n\\s*\\*\\s*", " ");
    }

    @Test
    void publicType_saysWhichThreadsMayCallIt() throws IOException {
        assertThat(types())
                .filteredOn(type -> !RULE.matcher(type.javadoc).find())
                .extracting(Type::name)
                .isEmpty();
    }

    @Test
    void builderOrListener_saysWhichThreadsMayCallIt() throws IOException {
        Pattern inner = Pattern.compile("(?m)^    (public )?(static |final )*(class Builder|interface Listener)\\b");
        var silent = new ArrayList<String>();
        int seen = 0;
        for (Type type : types()) {
            Matcher found = inner.matcher(type.source);
            if (!found.find()) continue;
            seen++;
            if (!RULE.matcher(lastJavadoc(type.source.substring(0, found.start())))
                    .find()) silent.add(type.name);
        }
        assertThat(seen).isGreaterThan(10);
        assertThat(silent).isEmpty();
    }

    @Test
    void methodForAnyThread_isNamedWhereTheTypeIsForTheLoopsAlone() throws IOException {
        var unnamed = new ArrayList<String>();
        for (Type type : types()) {
            if (!LOOP.matcher(type.javadoc).find()) continue;
            for (String entry : EveryMethodConformance.ANY_THREAD) {
                String method = entry.substring(entry.indexOf('.') + 1);
                if (!entry.startsWith(type.name + ".") || MAKERS.contains(method)) continue;
                if (isDeclared(type, method) && !isNamed(type, method)) unnamed.add(entry);
            }
        }
        assertThat(unnamed).isEmpty();
    }

    private static boolean isDeclared(Type type, String method) {
        return Pattern.compile("(?m)^    [^ *].*\\b" + method + "\\(")
                .matcher(type.source)
                .find();
    }

    private static boolean isNamed(Type type, String method) {
        return Pattern.compile("[#\\s]" + method + "\\b").matcher(type.javadoc).find();
    }
}
