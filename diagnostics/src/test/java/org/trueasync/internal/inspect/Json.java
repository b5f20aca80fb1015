package org.trueasync.internal.inspect;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads JSON into maps, lists, strings, doubles, booleans and null. Refuses everything that is not JSON. */
final class Json {
    private final String text;
    private int at;

    private Json(String text) {
        this.text = text;
    }

    static Object parse(String text) {
        var json = new Json(text);
        Object value = json.value();
        json.space();
        if (json.at != text.length()) throw json.wrong();
        return value;
    }

    private Object value() {
        space();
        switch (text.charAt(at)) {
            case '{':
                return object();
            case '[':
                return array();
            case '"':
                return string();
            default:
                int begin = at;
                while (at < text.length() && ",]} \n".indexOf(text.charAt(at)) < 0) at++;
                String word = text.substring(begin, at);
                if (word.equals("null")) return null;
                if (word.equals("true") || word.equals("false")) return word.equals("true");
                if (!word.matches("-?(0|[1-9]\\d*)(\\.\\d+)?([eE][+-]?\\d+)?")) throw wrong();
                return Double.valueOf(word);
        }
    }

    private Map<String, Object> object() {
        var members = new LinkedHashMap<String, Object>();
        expect('{');
        space();
        while (text.charAt(at) != '}') {
            if (!members.isEmpty()) expect(',');
            space();
            String name = string();
            space();
            expect(':');
            if (members.putIfAbsent(name, "") != null) throw wrong();
            members.put(name, value());
            space();
        }
        expect('}');
        return members;
    }

    private List<Object> array() {
        var values = new ArrayList<>();
        expect('[');
        space();
        while (text.charAt(at) != ']') {
            if (!values.isEmpty()) expect(',');
            values.add(value());
            space();
        }
        expect(']');
        return values;
    }

    private String string() {
        expect('"');
        var string = new StringBuilder();
        for (char c; (c = text.charAt(at++)) != '"'; ) {
            if (c < ' ') throw wrong();
            if (c != '\\') {
                string.append(c);
                continue;
            }
            char escaped = text.charAt(at++);
            switch (escaped) {
                case '"', '\\', '/' -> string.append(escaped);
                case 'n' -> string.append('\n');
                case 'u' -> {
                    string.append((char) Integer.parseInt(text.substring(at, at + 4), 16));
                    at += 4;
                }
                default -> throw wrong();
            }
        }
        return string.toString();
    }

    private void space() {
        while (at < text.length() && " \n".indexOf(text.charAt(at)) >= 0) at++;
    }

    private void expect(char c) {
        if (text.charAt(at++) != c) throw wrong();
    }

    private IllegalArgumentException wrong() {
        return new IllegalArgumentException("no JSON: " + text.substring(Math.max(0, at - 30), at) + " <- here");
    }
}
