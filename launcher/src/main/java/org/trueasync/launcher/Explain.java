package org.trueasync.launcher;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Explains messages, from the page of the guide that has a section for each word. */
final class Explain {
    private static final String HEADING = "## ";
    private static final String FENCE = "```";
    private static final String PLACEHOLDER = "…";
    private static final int WIDTH = 100;
    private static final int SHORTEST = 3;

    private Explain() {}

    /** Parses the words after {@code explain}. */
    static Command parse(Queue<String> words) throws UsageException {
        String word = words.poll();
        if (word != null && (word.equals("--help") || word.equals("-h"))) return new Command.Help();
        if (!words.isEmpty())
            throw new UsageException(
                    "one word at a time, got '" + words.peek() + "' too; trueasync explain lists them");
        return new Command.Explain(word);
    }

    /**
     * The section of a word, or the list of the words.
     *
     * @param word null for the list; a message or a part of one will do, if it is the only one
     * @throws UsageException if there is no such word
     */
    static String text(@Nullable String word) throws UsageException {
        Map<String, List<String>> sections = sections();
        if (word == null) return list(sections);
        List<String> section = sections.get(word);
        if (section == null) {
            List<String> found = matching(word, sections);
            if (found.size() == 1) return text(found.getFirst());
            if (!found.isEmpty())
                throw new UsageException(
                        "no message has the word " + word + ", but these say so: " + String.join(", ", found));
            throw new UsageException("no message has the word " + word
                    + Nearest.to(word, List.copyOf(sections.keySet()))
                            .map(nearest -> "; did you mean " + nearest + "?")
                            .orElse("; trueasync explain lists them"));
        }
        return word + "\n\n" + plain(section);
    }

    /** The words of the messages that a text is, as it was printed; otherwise of those that have it in them. */
    private static List<String> matching(String text, Map<String, List<String>> sections) {
        var same = new ArrayList<String>();
        var partly = new ArrayList<String>();
        String wanted = text.strip().toLowerCase(Locale.ROOT);
        sections.forEach((word, section) -> {
            List<String> messages = messages(section);
            if (messages.stream().anyMatch(message -> isPrinted(message, text))) same.add(word);
            if (word.contains(wanted)
                    || messages.stream().anyMatch(message -> message.toLowerCase(Locale.ROOT)
                            .contains(wanted))) partly.add(word);
        });
        return wanted.length() < SHORTEST ? List.of() : same.isEmpty() ? partly : same;
    }

    private static List<String> messages(List<String> section) {
        return section.stream()
                .skip(1)
                .takeWhile(line -> !line.startsWith(FENCE))
                .toList();
    }

    /** Some are printed with another end, behind a semicolon. */
    private static boolean isPrinted(String message, String text) {
        String first = message.split(";")[0];
        String pattern =
                Stream.of(first.split(PLACEHOLDER, -1)).map(Pattern::quote).collect(Collectors.joining(".*"));
        return Pattern.compile(pattern, Pattern.DOTALL).matcher(text).lookingAt();
    }

    private static Map<String, List<String>> sections() {
        var sections = new LinkedHashMap<String, List<String>>();
        List<String> current = new ArrayList<>();
        for (String line : page().lines().toList()) {
            if (line.startsWith(HEADING)) {
                current = new ArrayList<>();
                sections.put(line.substring(HEADING.length()), current);
            } else if (!current.isEmpty() || !line.isEmpty()) current.add(line);
        }
        return sections;
    }

    private static String page() {
        try {
            return Resources.text("messages.md");
        } catch (IOException e) {
            throw new IllegalStateException("Bug in TrueAsync: a page is missing", e);
        }
    }

    /** Each word with its first message, on a line of a terminal. */
    private static String list(Map<String, List<String>> sections) {
        int width = sections.keySet().stream().mapToInt(String::length).max().orElse(0);
        var text = new StringBuilder();
        sections.forEach((word, section) -> {
            String line = word + " ".repeat(width + 2 - word.length()) + section.get(1);
            text.append(line.length() <= WIDTH ? line : line.substring(0, WIDTH - 1) + "…")
                    .append('\n');
        });
        return text.toString();
    }

    /** Without what only a page needs: links, fences. */
    private static String plain(List<String> section) {
        var text = new StringBuilder();
        boolean fenced = false;
        for (String line : String.join("\n", section)
                .strip()
                .replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1")
                .split("\n", -1)) {
            if (line.startsWith(FENCE)) fenced = !fenced;
            else text.append(fenced ? "    " + line : line).append('\n');
        }
        return text.toString();
    }
}
