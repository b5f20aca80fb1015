package org.trueasync.internal.error;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The names that users give to coroutines, scopes, channels and the like. People read them in reports, and they may
 * come from a request or a file. Whatever is in a name, nothing may fail, and no report may become unreadable.
 */
public final class Names {
    /** The length of the longest readable name, in characters. */
    public static final int MAX_LENGTH = 100;

    private Names() {}

    /**
     * A name as reports show it: in one line, with {@code ?} for each character that can't be seen or changes the text
     * beside it, cut to {@link #MAX_LENGTH} characters.
     *
     * @param name as the user gave it
     * @return the readable name; null for a blank name, which counts as none
     */
    public static @Nullable String readable(String name) {
        Objects.requireNonNull(name, "name");
        if (name.isBlank()) return null;
        if (name.length() <= MAX_LENGTH && name.codePoints().allMatch(Names::isPlain)) return name;
        String cut = name.length() <= MAX_LENGTH ? name : name.substring(0, MAX_LENGTH - 3);
        var text = new StringBuilder(MAX_LENGTH);
        cut.codePoints().forEach(c -> text.appendCodePoint(isPlain(c) ? c : '?'));
        return cut.length() == name.length()
                ? text.toString()
                : text.append("...").toString();
    }

    /**
     * A text that may contain names from outside, as reports show it: in one line, with {@code ?} for each character
     * that can't be seen or changes the text beside it.
     *
     * @param text of any length
     */
    public static String plain(String text) {
        if (text.codePoints().allMatch(Names::isPlain)) return text;
        var plain = new StringBuilder(text.length());
        text.codePoints().forEach(c -> plain.appendCodePoint(isPlain(c) ? c : '?'));
        return plain.toString();
    }

    private static boolean isPlain(int codePoint) {
        return switch (Character.getType(codePoint)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.UNASSIGNED -> false;
            default -> true;
        };
    }

    /**
     * A kind of thing with its name, if it has one: {@code channel 'orders'}.
     *
     * @param kind what it is
     * @param name readable, or null
     */
    public static String of(String kind, @Nullable String name) {
        return name == null ? kind : kind + " '" + name + "'";
    }
}
