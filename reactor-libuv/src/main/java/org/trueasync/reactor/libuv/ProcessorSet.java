package org.trueasync.reactor.libuv;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncException;

/** A set of processors, by their numbers: {@code cpu_set_t}. Linux only. */
final class ProcessorSet {
    private static final MethodHandle GET = Functions.of("sched_getaffinity");
    private static final MethodHandle SET = Functions.of("sched_setaffinity");

    /** The most that Linux can be built for; the system demands at least as many bits as it has processors. */
    private static final int MAX_PROCESSORS = 8192;

    private static final int BYTES = MAX_PROCESSORS / Byte.SIZE;
    private static final int CALLING_THREAD = 0;

    private final MemorySegment bits = Arena.ofAuto().allocate(BYTES, Long.BYTES);

    private ProcessorSet() {}

    /** Returns the processors on which the calling thread may run. */
    static ProcessorSet ofThread() {
        var set = new ProcessorSet();
        int status = (int) Functions.call(GET, CALLING_THREAD, BYTES, set.bits.address(), 0, 0);
        if (status < 0) throw new AsyncException("the system does not tell on which processors this thread may run");
        return set;
    }

    static ProcessorSet of(int processor) {
        var set = new ProcessorSet();
        set.bits.set(ValueLayout.JAVA_BYTE, processor / Byte.SIZE, (byte) (1 << processor % Byte.SIZE));
        return set;
    }

    /** Confines the calling thread to these processors; false if the system refuses. */
    boolean apply() {
        return (int) Functions.call(SET, CALLING_THREAD, BYTES, bits.address(), 0, 0) == 0;
    }

    boolean contains(int processor) {
        return (bits.get(ValueLayout.JAVA_BYTE, processor / Byte.SIZE) >> processor % Byte.SIZE & 1) != 0;
    }

    int size() {
        int count = 0;
        for (int i = 0; i < MAX_PROCESSORS; i++) if (contains(i)) count++;
        return count;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ProcessorSet set && bits.mismatch(set.bits) < 0;
    }

    @Override
    public int hashCode() {
        return size();
    }

    /** Returns the processor at an index, counted from 0 and modulo the size: index 5 of three is the third one. */
    int get(int index) {
        int toSkip = index % size();
        for (int i = 0; ; i++) if (contains(i) && toSkip-- == 0) return i;
    }
}
