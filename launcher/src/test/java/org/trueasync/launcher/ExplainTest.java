package org.trueasync.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The page of messages says what the sources say, and the command prints it. */
class ExplainTest {
    private static final Path ROOT = Path.of("").toAbsolutePath().getParent();
    private static final int SHORTEST_PIECE = 8;
    private static final String PLACEHOLDER = "…";

    private static List<String> words() throws UsageException {
        return Explain.text(null).lines().map(line -> line.split(" ")[0]).toList();
    }

    @Test
    void everyMessageOfThePage_standsInTheSources() throws Exception {
        String literals = literals();
        var strangers = new ArrayList<String>();
        for (String word : words()) {
            List<String> messages = Explain.text(word)
                    .lines()
                    .skip(2)
                    .takeWhile(line -> line.startsWith("    "))
                    .toList();
            assertThat(messages).as(word).isNotEmpty();
            for (String message : messages)
                for (String fragment : message.strip().split(PLACEHOLDER))
                    if (!isMadeOf(literals, fragment)) strangers.add(word + ": " + fragment);
        }
        assertThat(strangers).as("no source says so any more").isEmpty();
    }

    /** The texts of the sources, each once, on lines of their own. */
    private static String literals() throws IOException {
        var literals = new TreeSet<String>();
        for (String source : sources()) {
            var literal =
                    Pattern.compile("\"((?:[^\"\\\\\n]|\\\\.)*)\"").matcher(source.replaceAll("\"\\s*\\+\\s*\"", ""));
            while (literal.find()) literals.add(literal.group(1).replace("%%", "%"));
        }
        return String.join("\n", literals);
    }

    /** Whether it can be cut into pieces that stand there: messages are joined from literals. */
    private static boolean isMadeOf(String literals, String text) {
        int length = text.length();
        while (length > 0 && !literals.contains(text.substring(0, length))) length--;
        String piece = text.substring(0, length);
        String rest = text.substring(length);
        boolean isLong = length >= SHORTEST_PIECE || piece.chars().noneMatch(Character::isLetter);
        return rest.isEmpty() || length > 0 && isLong && isMadeOf(literals, rest);
    }

    @Test
    void everyWordOfTheSources_hasASection() throws Exception {
        var named = new TreeSet<String>();
        for (String source : sources()) {
            var word = Pattern.compile("trueasync explain ([a-z-]+)\\)").matcher(source);
            while (word.find()) named.add(word.group(1));
        }
        assertThat(named).hasSizeGreaterThan(4);
        assertThat(words())
                .containsAll(named)
                .doesNotHaveDuplicates()
                .allMatch(word -> word.matches("[a-z]+(-[a-z]+)*"));
    }

    @Test
    void everySection_hasAWayOut_andFitsATerminal() throws Exception {
        for (String word : words())
            assertThat(Explain.text(word))
                    .startsWith(word + "\n\n    ")
                    .contains("\nWay out: ")
                    .doesNotContain("](", "```");
    }

    @Test
    void unknownWord_namesTheNearest() throws Exception {
        assertThatThrownBy(() -> Explain.text("held-lop"))
                .isInstanceOf(UsageException.class)
                .hasMessage("no message has the word held-lop; did you mean held-loop?");
        assertThatThrownBy(() -> Explain.text("nonsense"))
                .hasMessage("no message has the word nonsense; trueasync explain lists them");
        assertThatThrownBy(() -> CommandLine.parse("explain", "a", "b")).hasMessageStartingWith("one word at a time");
        assertThat(CommandLine.parse("explain")).isEqualTo(new Command.Explain(null));
        assertThat(CommandLine.parse("explain", "bug")).isEqualTo(new Command.Explain("bug"));
    }

    @Test
    void messageOrPartOfOne_isExplainedToo() throws Exception {
        assertThat(Explain.text("Deadlock: 2 coroutines wait, nothing can wake them"))
                .isEqualTo(Explain.text("deadlock"));
        assertThat(Explain.text("Loop 'main' is held by the main coroutine, #1, for 117 ms so far: A.main(A.java:8)"))
                .isEqualTo(Explain.text("held-loop"));
        assertThat(Explain.text("nothing free within")).isEqualTo(Explain.text("pool-exhausted"));
        assertThatThrownBy(() -> Explain.text("Leak"))
                .hasMessage("no message has the word Leak, but these say so: lost-handle, lost-scope");
        assertThatThrownBy(() -> Explain.text(" ")).isInstanceOf(UsageException.class);
    }

    private static List<String> sources() throws IOException {
        var sources = new ArrayList<String>();
        try (Stream<Path> modules = Files.list(ROOT)) {
            for (Path module : modules.toList()) {
                Path main = module.resolve("src/main/java");
                if (!Files.isDirectory(main)) continue;
                try (Stream<Path> files = Files.walk(main)) {
                    for (Path file : files.filter(name -> name.toString().endsWith(".java"))
                            .toList()) sources.add(Files.readString(file));
                }
            }
        }
        return sources;
    }
}
