package org.trueasync.internal.watch;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * How to watch.
 *
 * @param recursive whether sub-folders are watched too
 * @param raw whether each change is kept, instead of one for each name; ignored if there is a quiet time
 * @param quietNanos quiet time: changes are handed out, as one, when none has come for so long; 0 to hand them out at
 *     once
 * @param holdNanos how long a change is held back for the quiet time, at most
 * @param suffixes of the names that count, in lower case with their dot; empty for all
 * @param maxKept how many changes are kept, at most
 */
public record WatchSettings(
        boolean recursive, boolean raw, long quietNanos, long holdNanos, List<String> suffixes, int maxKept) {
    Backlog backlog() {
        if (quietNanos > 0) return new QuietBacklog(quietNanos, holdNanos);
        return raw ? new RawBacklog(maxKept) : new MergedBacklog(maxKept);
    }

    /** True if a change of this name counts; null, which stands for everything, always does. */
    boolean counts(@Nullable String name) {
        if (name == null || suffixes.isEmpty()) return true;
        String lower = name.toLowerCase(Locale.ROOT);
        int start = lower.lastIndexOf('/') + 1;
        for (String suffix : suffixes)
            if (lower.endsWith(suffix) && lower.length() - start > suffix.length()) return true;
        return false;
    }
}
