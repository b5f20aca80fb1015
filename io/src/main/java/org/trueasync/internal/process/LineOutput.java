package org.trueasync.internal.process;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.text.LineSplitter;

/** A child's output, handed out line by line. */
final class LineOutput extends ChildOutput {
    private final LineSplitter lines = new LineSplitter();
    private final long limit;

    /**
     * Makes one without bytes.
     *
     * @param limit bytes of a line, at most
     */
    LineOutput(String what, long limit, Runnable changed) {
        super(what, changed);
        this.limit = limit;
    }

    @Override
    void take(ByteBuffer bytes) {
        lines.add(bytes);
    }

    /** True if a line is there, the end has come, or the line is too long. */
    boolean isReady() {
        return lines.hasNext() || isEnded() || isTooLong();
    }

    /** True if the next line exceeds the limit, whether it has ended or not. */
    boolean isTooLong() {
        return lines.nextSize() > limit;
    }

    /** Returns the next line; null if none is there now. */
    @Nullable
    String next() {
        String line = lines.next();
        return line == null && isEnded() ? lines.rest() : line;
    }
}
