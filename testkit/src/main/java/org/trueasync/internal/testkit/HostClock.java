package org.trueasync.internal.testkit;

/**
 * The clocks of a host, which outlive its programs. The monotonic one runs faster or slower than the world's time if it
 * has a drift. The wall clock runs like it, and jumps besides. Without a loop that runs, where nothing else is said.
 */
public final class HostClock {
    private static final long MILLION = 1_000_000;
    private static final long SLOWEST = -990_000;

    private final World world;
    /** Where the line through which the monotonic time goes begins: in the world's time, and in its own. */
    private long worldAnchor;

    private long anchor;
    private long drifts;
    private long drift;
    private long jumps;

    /** Clocks that go by the world's time. */
    public HostClock(World world) {
        this.world = world;
    }

    /** The monotonic time in nanoseconds. Also on a loop. */
    long nanoTime() {
        return anchor + stretched(world.now() - worldAnchor);
    }

    /** The nanoseconds since 1970. Also on a loop. */
    long date() {
        return VirtualReactor.BEGIN_NANOS + nanoTime() + jumps;
    }

    /** A time of the world at which the monotonic time has reached the given one, at most 1 ns late. */
    long worldTimeOf(long nanoTime) {
        if (nanoTime == Long.MAX_VALUE) return nanoTime;
        long passed = nanoTime - anchor;
        if (drift == 0 || passed <= 0) return worldAnchor + passed;
        long rate = MILLION + drift;
        long estimate = passed / rate * MILLION + passed % rate * MILLION / rate;
        while (stretched(estimate) < passed) estimate++;
        return worldAnchor + estimate;
    }

    private long stretched(long passed) {
        return passed + passed / MILLION * drift + passed % MILLION * drift / MILLION;
    }

    /**
     * Changes the drift from now on.
     *
     * @param millionths are added to it
     */
    public void drift(long millionths) {
        anchor = nanoTime();
        worldAnchor = world.now();
        drifts += millionths;
        drift = Math.max(drifts, SLOWEST);
    }

    /** Has the wall clock jump, forwards or backwards. */
    public void jump(long nanos) {
        jumps += nanos;
    }
}
