package org.trueasync.internal.foreign;

import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.trueasync.spi.ForeignCall;

/** The call of a library's that a coroutine is inside of, see {@link org.trueasync.spi.ForeignCalls}. What one call does inside of another is the outer one's business. */
public final class CallUnderWay {
    private @Nullable ForeignCall call;
    /** How many protections there are with its own. */
    private int depth;
    /** Tells a call from the one before. */
    private int number;

    private boolean told;
    private boolean interrupted;
    /** It is done whatever is due. */
    private boolean shielded;
    /** The thread's interrupt status as it was before a shielded call. */
    private boolean statusBefore;

    /** Of a coroutine that is in none so far. */
    public CallUnderWay() {}

    public boolean isUnderWay() {
        return call != null;
    }

    /** True if nothing but the call defers what concerns a section that has begun with so many protections. */
    public boolean alone(int protections, int outside) {
        return call != null && protections == depth && depth == outside + 1;
    }

    public boolean wasTold() {
        return told;
    }

    public void begin(ForeignCall begins, int protections, boolean asShielded) {
        call = begins;
        depth = protections;
        number++;
        told = false;
        shielded = asShielded;
        // JDK code in it is not interrupted by what was before it
        statusBefore = asShielded && Thread.interrupted();
    }

    /**
     * It is to end soon.
     *
     * @param service tells it, where that may meet a lock
     */
    public void tell(Consumer<Runnable> service) {
        if (told) return;
        told = true;
        ForeignCall asked = Objects.requireNonNull(call);
        int asNumber = number;
        service.accept(() -> {
            if (call != null && number == asNumber) asked.cancelled();
        });
    }

    /** Its thread is about to be interrupted. */
    public void interrupts() {
        interrupted = true;
    }

    /**
     * One ends.
     *
     * @param protections with its own
     * @return true if it was the outermost one, and shielded
     */
    public boolean end(int protections) {
        if (protections != depth) return false;
        call = null;
        depth = 0;
        // consumed here: whether the call noticed shows in how it ended
        if (interrupted) Thread.interrupted();
        interrupted = false;
        if (statusBefore) Thread.currentThread().interrupt();
        statusBefore = false;
        return shielded;
    }
}
