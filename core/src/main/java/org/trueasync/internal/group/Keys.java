package org.trueasync.internal.group;

import java.util.ArrayDeque;
import java.util.HashSet;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncException;

/**
 * The keys of a group: numbers that it gives, and names that the user gives. Numbers take no memory; each is given
 * once. A name's own methods are user code. They run in the user's coroutines only, never where a task settles; so the
 * names of outcomes that a set has handed out are forgotten at the next use.
 */
final class Keys {
    private @Nullable HashSet<Object> names;
    private @Nullable ArrayDeque<Object> freed;
    private int nextNumber;

    /** Returns the next number that is not in use as a name. */
    Integer number() {
        forgetFreed();
        while (names != null && names.contains(nextNumber)) nextNumber++;
        return nextNumber++;
    }

    /**
     * Takes a name.
     *
     * @throws AsyncException if another task has it, or it is a number that the group has given
     */
    void take(Object name) {
        forgetFreed();
        boolean given = name instanceof Integer number && number >= 0 && number < nextNumber;
        if (names == null) names = new HashSet<>();
        if (given || !names.add(name))
            throw new AsyncException("key '" + name + "' is taken by another task of this group; use another one");
    }

    /** Makes a name available again. In the user's coroutine. */
    void giveBack(Object name) {
        if (names != null) names.remove(name);
    }

    /** Makes a name available again, at the next use. In any context. */
    void free(Object name) {
        if (freed == null) freed = new ArrayDeque<>();
        freed.add(name);
    }

    private void forgetFreed() {
        if (freed == null) return;
        for (Object name = freed.poll(); name != null; name = freed.poll()) giveBack(name);
    }
}
