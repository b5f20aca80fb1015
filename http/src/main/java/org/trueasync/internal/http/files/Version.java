package org.trueasync.internal.http.files;

import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.http.message.Coding;

/**
 * What tells a content of a file from its earlier and later ones.
 *
 * @param size in bytes
 * @param tag its entity tag, weak if the file has changed just now: it may change again within the same tick of the
 *     file system's clock
 * @param modified in whole seconds, not in the future; {@link Instant#MIN} if it is not known
 */
record Version(long size, String tag, Instant modified) {
    private static final long SETTLED_MILLIS = 2_000;

    static Version of(long size, FileTime changed, @Nullable Coding coding) {
        long now = System.currentTimeMillis();
        Instant time = changed.toInstant();
        String tag = '"'
                + Long.toHexString(time.getEpochSecond())
                + '.'
                + Integer.toHexString(time.getNano())
                + '-'
                + Long.toHexString(size)
                + (coding == null ? "\"" : "-" + coding.ending().substring(1) + '"');
        boolean isSettled = changed.toMillis() <= now - SETTLED_MILLIS;
        Instant shown = changed.toMillis() > now ? Instant.ofEpochMilli(now) : time;
        return new Version(size, isSettled ? tag : "W/" + tag, shown.truncatedTo(ChronoUnit.SECONDS));
    }

    /** True if it is known when it has changed. */
    boolean isDated() {
        return !modified.equals(Instant.MIN);
    }

    boolean isStrong() {
        return !tag.startsWith("W/");
    }

    /** The tag without the mark for weak ones. */
    String opaque() {
        return isStrong() ? tag : tag.substring(2);
    }
}
