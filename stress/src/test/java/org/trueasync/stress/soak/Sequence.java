package org.trueasync.stress.soak;

import java.util.Iterator;
import java.util.LinkedHashSet;

/**
 * Numbers that one side sends in order, each once, and what the other side has got of them. A number whose operation
 * had a fault may come, later than its successors too, or not; any other comes once, in order. One thread.
 */
final class Sequence {
    /** So long may a number be on its way after its fault. */
    private static final int REMEMBERED = 10_000;

    private final String name;
    private long next;
    private long last = -1;
    private final LinkedHashSet<Long> unsure = new LinkedHashSet<>();

    Sequence(String name) {
        this.name = name;
    }

    long take() {
        return next++;
    }

    /** The operation of a number had a fault. */
    void fault(long number) {
        if (number > last) unsure.add(number);
        if (unsure.size() <= REMEMBERED) return;
        Iterator<Long> oldest = unsure.iterator();
        oldest.next();
        oldest.remove();
    }

    /** A number has come. */
    void got(long number) {
        boolean wasUnsure = unsure.remove(number);
        if (number <= last) {
            if (!wasUnsure) throw new AssertionError(name + ": " + number + " has come twice");
            return;
        }
        for (long between = last + 1; between < number; between++)
            if (!unsure.contains(between)) throw new AssertionError(name + ": " + between + " is lost");
        last = number;
    }

    /** The operation of a number has succeeded. */
    void acknowledged(long number) {
        if (number > last || unsure.contains(number))
            throw new AssertionError(name + ": " + number + " was acknowledged, and has not come");
    }
}
