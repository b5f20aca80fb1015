package org.trueasync.launcher;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The stack trace of an error whose own methods can't be relied on: they may throw, or lead from one cause to the next for ever. */
final class PlainTrace {
    private static final int MOST_CAUSES = 100;

    private final StringBuilder text = new StringBuilder();
    private final Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());

    private PlainTrace() {}

    /**
     * As the JDK prints it, as far as the error lets itself be asked.
     *
     * @param error not changed
     */
    static String text(Throwable error) {
        PlainTrace trace = new PlainTrace();
        trace.add(error);
        return trace.text.toString();
    }

    private void add(Throwable error) {
        String label = "";
        for (Throwable next = error; next != null; next = ask(next::getCause)) {
            if (!seen.add(next)) {
                line(label + "[circle back to " + next.getClass().getName() + "]");
                return;
            }
            if (seen.size() > MOST_CAUSES) {
                line("[more causes]");
                return;
            }
            addOne(label, "", next);
            for (Throwable suppressed : next.getSuppressed()) {
                addOne("\tSuppressed: ", "\t", suppressed);
            }
            label = "Caused by: ";
        }
    }

    private void addOne(String label, String indent, Throwable error) {
        String description = ask(error::toString);
        line(label + (description != null ? description : error.getClass().getName() + " (its message can't be had)"));
        StackTraceElement[] frames = ask(error::getStackTrace);
        if (frames != null) {
            for (StackTraceElement frame : Traces.withoutPlumbing(frames)) {
                line(indent + "\tat " + frame);
            }
        }
    }

    private void line(String line) {
        text.append(line).append(System.lineSeparator());
    }

    /** What a method of the error says; null if it fails. */
    private static <T> @Nullable T ask(Supplier<@Nullable T> question) {
        try {
            return question.get();
        } catch (RuntimeException | Error refused) {
            return null;
        }
    }
}
