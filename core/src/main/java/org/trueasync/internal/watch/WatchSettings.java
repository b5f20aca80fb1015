package org.trueasync.internal.watch;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * How to watch.
 *
 * @param recursive whether sub-folders are watched too
 * @param raw whether each change is kept, instead of one for each name
 * @param quietNanos time without a change before one is handed out, 0 for none
 * @param holdNanos how long a change is held back, at most
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
