package org.trueasync.http;

import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.eclipse.jetty.http.HttpField;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.http.message.Checks;
import org.trueasync.internal.http.message.Fields;

/**
 * Header fields of a message, in their order. Names are compared without case. Values are text of Latin-1 characters.
 * Not for several threads.
 */
public final class Headers implements Iterable<Map.Entry<String, String>> {
    private final Fields fields;
    /** Null if they may be changed; else why they may not. */
    private final @Nullable String fixed;

    /** Creates an empty one, which may be changed. */
    public Headers() {
        this(new Fields(), null);
    }

    Headers(Fields fields, @Nullable String fixed) {
        this.fields = fields;
        this.fixed = fixed;
    }

    Fields fields() {
        return fields;
    }

    /**
     * Returns the first value of a field, or null.
     *
     * @param name without regard to case
     */
    public @Nullable String get(String name) {
        Objects.requireNonNull(name, "name");
        return fields.get(name);
    }

    /**
     * Returns all values of a field, in order; empty if there are none. Commas in them are not looked at.
     *
     * @param name without regard to case
     */
    public List<String> all(String name) {
        Objects.requireNonNull(name, "name");
        return fields.all(name);
    }

    /**
     * Returns whether there is such a field.
     *
     * @param name without regard to case
     */
    public boolean has(String name) {
        return get(name) != null;
    }

    /** Returns the names in lower case, each once, in order. */
    public Set<String> names() {
        var names = new LinkedHashSet<String>();
        for (HttpField field : fields) names.add(field.getName().toLowerCase(Locale.ROOT));
        return names;
    }

    /** Returns how many fields there are. */
    public int size() {
        return fields.size();
    }

    /**
     * Adds a field behind the others, also if there is one of that name. Returns this.
     *
     * @param name a token
     * @param value without line ends
     * @throws IllegalArgumentException if name or value may not stand in a head, or if the field is one that the
     *     message itself decides: {@code Transfer-Encoding}
     * @throws UnsupportedOperationException if these are the fields of a message that has come
     */
    public Headers add(String name, String value) {
        fields.add(field(name, value));
        return this;
    }

    /**
     * Sets a field in place of all of that name. Returns this.
     *
     * @param name a token
     * @param value without line ends
     * @throws IllegalArgumentException as {@link #add}
     * @throws UnsupportedOperationException if these are the fields of a message that has come
     */
    public Headers set(String name, String value) {
        fields.set(field(name, value));
        return this;
    }

    /**
     * Removes all fields of that name. Returns this.
     *
     * @param name without regard to case
     * @throws UnsupportedOperationException if these are the fields of a message that has come
     */
    public Headers remove(String name) {
        Objects.requireNonNull(name, "name");
        requireOpen();
        fields.remove(name);
        return this;
    }

    private HttpField field(String name, String value) {
        requireOpen();
        Checks.token("name of a header field", Objects.requireNonNull(name, "name"));
        if (name.equalsIgnoreCase("Transfer-Encoding"))
            throw new IllegalArgumentException("Transfer-Encoding is chosen by the message; leave Content-Length away");
        String checked = Checks.value(name, Objects.requireNonNull(value, "value"));
        if (name.equalsIgnoreCase("Content-Length")) requireLength(checked);
        return new HttpField(name, checked);
    }

    private static void requireLength(String value) {
        if (value.isEmpty() || value.length() > 18 || !value.chars().allMatch(c -> c >= '0' && c <= '9'))
            throw new IllegalArgumentException(
                    "Content-Length must be a number >= 0 of at most 18 digits, got " + Checks.quoted(value));
    }

    private void requireOpen() {
        if (fixed != null) throw new UnsupportedOperationException(fixed);
    }

    @Override
    public Iterator<Map.Entry<String, String>> iterator() {
        Iterator<HttpField> all = fields.iterator();
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return all.hasNext();
            }

            @Override
            public Map.Entry<String, String> next() {
                HttpField field = all.next();
                return Map.entry(field.getName(), Fields.value(field));
            }
        };
    }

    /** The fields as they stand in a message, a line each. */
    @Override
    public String toString() {
        return fields.toString();
    }
}
