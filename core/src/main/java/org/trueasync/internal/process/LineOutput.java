package org.trueasync.internal.process;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.text.LineSplitter;

/** A child's output that is taken line by line. */
final class LineOutput extends ChildOutput {
    private final LineSplitter lines = new LineSplitter();
    private final long limit;

    /**
     * Nothing has come yet.
     *
     * @param limit the longest line
     */
    LineOutput(String what, long limit, Runnable changed) {
        super(what, changed);
        this.limit = limit;
    }

    @Override
    void take(ByteBuffer bytes) {
        lines.add(bytes);
    }

    /** True if there is a line, or there never will be. */
    boolean isReady() {
        return lines.hasNext() || isEnded() || isTooLong();
    }

    /** True if what is there is longer than a line may be and has no end. */
    boolean isTooLong() {
        return lines.size() > limit && !lines.hasNext();
    }

    /** The next line; null if none is there now. */
    @Nullable
    String next() {
        String line = lines.next();
        return line == null && isEnded() ? lines.rest() : line;
    }
}
