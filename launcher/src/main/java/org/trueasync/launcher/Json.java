package org.trueasync.launcher;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads one JSON text (RFC 8259), strictly. Objects become maps, arrays lists, whole numbers that fit {@link Long}s,
 * other ones {@link Double}s. Of two members with the same name the last one counts.
 */
final class Json {
    /** Deeper ones are refused, so that no text can exhaust the stack. */
    private static final int MAX_DEPTH = 100;

    private final String text;
    private int at;
    private int depth;

    private Json(String text) {
        this.text = text;
    }

    /**
     * Reads a text.
     *
     * @throws IllegalArgumentException if it is malformed; the message names the place
     */
    static @Nullable Object parse(String text) {
        var json = new Json(text);
        Object value = json.value();
        json.blank();
        if (json.at < text.length()) throw json.malformed();
        return value;
    }

    private @Nullable Object value() {
        blank();
        return switch (peek()) {
            case '{' -> object();
            case '[' -> array();
            case '"' -> string();
            case 't' -> literal("true", true);
            case 'f' -> literal("false", false);
            case 'n' -> literal("null", null);
            default -> number();
        };
    }

    private Map<String, @Nullable Object> object() {
        var members = new LinkedHashMap<String, @Nullable Object>();
        open();
        for (boolean more = !closes('}'); more; more = goesOn('}')) {
            blank();
            String name = string();
            blank();
            expect(':');
            members.put(name, value());
        }
        return members;
    }

    private List<@Nullable Object> array() {
        var elements = new ArrayList<@Nullable Object>();
        open();
        for (boolean more = !closes(']'); more; more = goesOn(']')) elements.add(value());
        return elements;
    }

    private void open() {
        if (++depth > MAX_DEPTH) throw malformed();
        at++;
    }

    private boolean closes(char bracket) {
        blank();
        if (peek() != bracket) return false;
        at++;
        depth--;
        return true;
    }

    private boolean goesOn(char bracket) {
        if (closes(bracket)) return false;
        expect(',');
        return true;
    }

    private @Nullable Object literal(String word, @Nullable Object value) {
        if (!text.startsWith(word, at)) throw malformed();
        at += word.length();
        return value;
    }

    private Number number() {
        int begin = at;
        while ("+-.eE0123456789".indexOf(peek()) >= 0) at++;
        String digits = text.substring(begin, at);
        if (!digits.matches("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?")) throw malformed();
        try {
            return Long.parseLong(digits);
        } catch (NumberFormatException notAWholeOne) {
            return Double.parseDouble(digits);
        }
    }

    private String string() {
        expect('"');
        var string = new StringBuilder();
        for (char c = next(); c != '"'; c = next()) {
            if (c < ' ') throw malformed();
            string.append(c == '\\' ? escaped(next()) : c);
        }
        return string.toString();
    }

    private char escaped(char c) {
        return switch (c) {
            case '"', '\\', '/' -> c;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> unit();
            default -> throw malformed();
        };
    }

    private char unit() {
        int unit = 0;
        for (int i = 0; i < 4; i++) {
            char c = next();
            int digit = c < 128 ? Character.digit(c, 16) : -1;
            if (digit < 0) throw malformed();
            unit = unit * 16 + digit;
        }
        return (char) unit;
    }

    private void blank() {
        while (peek() == ' ' || peek() == '\t' || peek() == '\n' || peek() == '\r') at++;
    }

    /** What comes; 0 at the end, which begins nothing. */
    private char peek() {
        return at < text.length() ? text.charAt(at) : 0;
    }

    private char next() {
        if (at == text.length()) throw malformed();
        return text.charAt(at++);
    }

    private void expect(char c) {
        if (peek() != c) throw malformed();
        at++;
    }

    private IllegalArgumentException malformed() {
        return new IllegalArgumentException("malformed JSON at character " + at);
    }
}
