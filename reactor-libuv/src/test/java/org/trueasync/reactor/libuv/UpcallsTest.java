package org.trueasync.reactor.libuv;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.foreign.Arena;
import java.lang.invoke.MethodHandle;
import java.lang.management.ManagementFactory;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** An upcall that finds no memory ends the JVM before any code of ours runs, so it must need none. */
class UpcallsTest {
    /** Says what the first callback of a JVM allocates. */
    static final class Main {
        private Main() {}

        public static void main(String[] arguments) {
            ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
            long poll = Arena.global().allocate(1024, 16).address();
            NativeMemory.setLong(poll + UvLayouts.DATA, -1); // no descriptor: read() refuses
            EventBell.rung(poll); // what it calls itself is linked
            MethodHandle stub = Functions.at(Upcalls.RUNG);
            threads.getCurrentThreadAllocatedBytes();
            long before = threads.getCurrentThreadAllocatedBytes();
            Functions.call(stub, poll, 0, 0, 0, 0);
            long after = threads.getCurrentThreadAllocatedBytes();
            System.out.println("allocated " + (after - before));
        }
    }

    @Test
    @Tag("K67")
    void firstCallback_allocatesNothing() throws Exception {
        assertThat(ChildJvm.run(List.of(), List.of(ChildJvm.ACCESS), Main.class))
                .isEqualTo("allocated 0\nexit 0");
    }
}
