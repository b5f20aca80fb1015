package org.trueasync.internal.watch;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * How to watch.
 *
 * @param recursive sub-folders too
 * @param raw each change by itself, instead of one for each name
 * @param quietNanos how long it must be quiet, 0 for no such wait
 * @param holdNanos how long a change is held back at most
 * @param suffixes of the names that count, in lower case with their dot; empty for all
 * @param most how many changes wait at most
 */
public record WatchSettings(
        boolean recursive, boolean raw, long quietNanos, long holdNanos, List<String> suffixes, int most) {
    Backlog backlog() {
        if (quietNanos > 0) return new QuietBacklog(quietNanos, holdNanos);
        return raw ? new RawBacklog(most) : new MergedBacklog(most);
    }

    /** Whether a change of this name counts; null for one that concerns everything. */
    boolean counts(@Nullable String name) {
        if (name == null || suffixes.isEmpty()) return true;
        String lower = name.toLowerCase(Locale.ROOT);
        int start = lower.lastIndexOf('/') + 1;
        for (String suffix : suffixes)
            if (lower.endsWith(suffix) && lower.length() - start > suffix.length()) return true;
        return false;
    }
}
