package org.trueasync.internal.inspect;

import java.io.IOException;
import java.io.Writer;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Writes JSON. The caller opens and closes objects and arrays in pairs; commas come by themselves. */
public final class JsonWriter {
    private final Writer out;
    private boolean needsComma;
    private boolean needsLine;

    /** Writes there. */
    public JsonWriter(Writer out) {
        this.out = out;
    }

    /** Opens an object. */
    public JsonWriter beginObject() throws IOException {
        return open('{');
    }

    public JsonWriter endObject() throws IOException {
        return close('}');
    }

    public JsonWriter beginArray() throws IOException {
        return open('[');
    }

    public JsonWriter endArray() throws IOException {
        return close(']');
    }

    private JsonWriter open(char bracket) throws IOException {
        separate();
        out.write(bracket);
        needsComma = false;
        return this;
    }

    private JsonWriter close(char bracket) throws IOException {
        breakLine();
        out.write(bracket);
        needsComma = true;
        return this;
    }

    /** The name of the value that follows. */
    public JsonWriter name(String name) throws IOException {
        separate();
        quote(name);
        out.write(':');
        needsComma = false;
        return this;
    }

    /** A text, or null. */
    public JsonWriter value(@Nullable String text) throws IOException {
        separate();
        if (text == null) out.write("null");
        else quote(text);
        return this;
    }

    /** A whole number. */
    public JsonWriter value(long number) throws IOException {
        return literal(Long.toString(number));
    }

    /** A finite number, to four digits after the point. */
    JsonWriter value(double number) throws IOException {
        return literal(String.format(Locale.ROOT, "%.4f", number));
    }

    /** A time in microseconds, to the nanosecond: the unit of traces. Not negative. */
    public JsonWriter micros(long nanos) throws IOException {
        String fraction = Long.toString(1_000 + nanos % 1_000);
        return literal(nanos / 1_000 + "." + fraction.substring(1));
    }

    /** True or false. */
    public JsonWriter value(boolean truth) throws IOException {
        return literal(Boolean.toString(truth));
    }

    JsonWriter values(Iterable<String> texts) throws IOException {
        beginArray();
        for (String text : texts) value(text);
        return endArray();
    }

    /** What follows begins on a new line, for people who look at it. */
    public JsonWriter newLine() {
        needsLine = true;
        return this;
    }

    private void breakLine() throws IOException {
        if (needsLine) out.write('\n');
        needsLine = false;
    }

    private JsonWriter literal(String text) throws IOException {
        separate();
        out.write(text);
        return this;
    }

    private void separate() throws IOException {
        if (needsComma) out.write(',');
        needsComma = true;
        breakLine();
    }

    private void quote(String text) throws IOException {
        out.write('"');
        int written = 0;
        for (int i = 0; i < text.length(); i++) {
            String escaped = escaped(text.charAt(i));
            if (escaped == null) continue;
            out.write(text, written, i - written);
            out.write(escaped);
            written = i + 1;
        }
        out.write(text, written, text.length() - written);
        out.write('"');
    }

    /** What stands for a character that can't stand for itself, else null. */
    private static @Nullable String escaped(char c) {
        if (c == '"' || c == '\\') return "\\" + c;
        if (c == '\n') return "\\n";
        // a surrogate without its other half can't be encoded as it is
        if (c < ' ' || Character.isSurrogate(c)) return String.format(Locale.ROOT, "\\u%04x", (int) c);
        return null;
    }
}
