package org.trueasync.bench.peer;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import org.trueasync.bench.workload.HandOvers;

/** The floor: two threads that wake each other, each by an {@code eventfd}, and do nothing else. Linux only. */
public final class BareEvents implements HandOvers {

    private static final MethodHandle EVENTFD =
            function("eventfd", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
    private static final MethodHandle READ =
            function("read", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG));
    private static final MethodHandle WRITE =
            function("write", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG));
    private static final MethodHandle CLOSE = function("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));

    @SuppressWarnings("restricted") // native access is what this measures
    private static MethodHandle function(String name, FunctionDescriptor type) {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), type);
    }

    @Override
    public long thereAndBack(int count) {
        try (Arena arena = Arena.ofShared()) {
            int there = (int) EVENTFD.invokeExact(0, 0);
            int back = (int) EVENTFD.invokeExact(0, 0);
            MemorySegment mine = arena.allocate(JAVA_LONG);
            MemorySegment theirs = arena.allocate(JAVA_LONG);
            Thread other = Thread.ofPlatform().daemon().start(() -> {
                for (int i = 0; i < count; i++) {
                    await(there, theirs);
                    wake(back, theirs);
                }
            });
            long done = 0;
            for (int i = 0; i < count; i++) {
                mine.set(JAVA_LONG, 0, 1);
                wake(there, mine);
                done += await(back, mine);
            }
            other.join();
            int closed = (int) CLOSE.invokeExact(there) + (int) CLOSE.invokeExact(back);
            if (closed != 0) throw new IllegalStateException("an event could not be closed");
            return done;
        } catch (Throwable e) {
            throw new IllegalStateException("the workload failed", e);
        }
    }

    /** Waits until the event was signalled; returns how often, and leaves that in {@code number} too. */
    private static long await(int event, MemorySegment number) {
        try {
            long bytes = (long) READ.invokeExact(event, number, (long) Long.BYTES);
            if (bytes != Long.BYTES) throw new IllegalStateException("an event could not be read");
            return number.get(JAVA_LONG, 0);
        } catch (Throwable e) {
            throw new IllegalStateException("the workload failed", e);
        }
    }

    private static void wake(int event, MemorySegment number) {
        try {
            long bytes = (long) WRITE.invokeExact(event, number, (long) Long.BYTES);
            if (bytes != Long.BYTES) throw new IllegalStateException("an event could not be written");
        } catch (Throwable e) {
            throw new IllegalStateException("the workload failed", e);
        }
    }
}
