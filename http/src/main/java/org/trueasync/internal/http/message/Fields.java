package org.trueasync.internal.http.message;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.jspecify.annotations.Nullable;

/**
 * Header fields in the order in which they came or were added. Names are compared without case. A message has few of
 * them, so a search goes through all.
 */
public final class Fields implements Iterable<HttpField> {
    static {
        Jetty.load(); // before any other class of Jetty that logs
    }

    private HttpField[] all;
    private int size;

    /** Makes an empty one. */
    public Fields() {
        this(8);
    }

    /**
     * Makes an empty one.
     *
     * @param room for how many fields, before it grows
     */
    public Fields(int room) {
        all = new HttpField[room];
    }

    /** Returns how many there are. */
    public int size() {
        return size;
    }

    /** Returns the field at an index. */
    public HttpField at(int index) {
        return all[index];
    }

    /** Adds a field that the parser has made, or that was checked. */
    public void add(HttpField field) {
        if (size == all.length) all = Arrays.copyOf(all, 2 * size + 2);
        all[size++] = field;
    }

    /** Adds a field with a known name and a value that needs no check. */
    public void add(HttpHeader header, String value) {
        add(new HttpField(header, value));
    }

    /** Replaces all fields of that name. */
    public void set(HttpField field) {
        remove(field.getName());
        add(field);
    }

    /** Returns the first value, or null. */
    public @Nullable String get(HttpHeader header) {
        for (int i = 0; i < size; i++) if (all[i].getHeader() == header) return all[i].getValue();
        return null;
    }

    /** Returns the first value, or null. */
    public @Nullable String get(String name) {
        for (int i = 0; i < size; i++) if (all[i].is(name)) return all[i].getValue();
        return null;
    }

    /** Returns all values, in order. */
    public List<String> all(String name) {
        var values = new ArrayList<String>(2);
        for (int i = 0; i < size; i++) if (all[i].is(name)) values.add(value(all[i]));
        return values;
    }

    /** Returns whether there is a field of that name. */
    public boolean has(HttpHeader header) {
        for (int i = 0; i < size; i++) if (all[i].getHeader() == header) return true;
        return false;
    }

    /** Returns whether a field of that name has this element in its comma-separated list; without case. */
    public boolean has(HttpHeader header, String element) {
        for (int i = 0; i < size; i++) if (all[i].getHeader() == header && all[i].contains(element)) return true;
        return false;
    }

    /** Removes all fields of that name; returns whether there were any. */
    public boolean remove(String name) {
        int kept = 0;
        for (int i = 0; i < size; i++) if (!all[i].is(name)) all[kept++] = all[i];
        boolean removed = kept < size;
        Arrays.fill(all, kept, size, null);
        size = kept;
        return removed;
    }

    /** Returns the value; a field without one has an empty one. */
    public static String value(HttpField field) {
        String value = field.getValue();
        return value == null ? "" : value;
    }

    @Override
    public Iterator<HttpField> iterator() {
        return new Iterator<>() {
            private int next;

            @Override
            public boolean hasNext() {
                return next < size;
            }

            @Override
            public HttpField next() {
                if (next >= size) throw new NoSuchElementException();
                return all[next++];
            }
        };
    }

    @Override
    public String toString() {
        var text = new StringBuilder();
        for (HttpField field : this)
            text.append(field.getName()).append(": ").append(value(field)).append('\n');
        return text.toString();
    }
}
