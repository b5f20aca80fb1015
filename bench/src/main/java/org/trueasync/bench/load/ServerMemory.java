package org.trueasync.bench.load;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import org.trueasync.bench.ChildJvm;
import org.trueasync.bench.ParentWatch;

/** Tells the driver what a server allocates and keeps, beside the server's work. */
public final class ServerMemory {
    private static final Duration UNTIL_IDLE = Duration.ofMillis(200);

    private ServerMemory() {}

    /** Called once by the server. From now on it also ends when the driver is gone. */
    public static void answerDriver() {
        var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        ParentWatch.start(line -> {
            long bytes = line.equals("ALLOCATED") ? threads.getTotalThreadAllocatedBytes() : usedAfterFullCollection();
            System.out.println("BYTES " + bytes);
            System.out.flush();
        });
    }

    /** Returns the bytes that all threads of a server have allocated so far. */
    static long allocated(ChildJvm server) {
        return ask(server, "ALLOCATED");
    }

    /** Returns the heap that an idle server needs, after full collections. */
    static long heap(ChildJvm server) {
        return ask(server, "HEAP");
    }

    private static long ask(ChildJvm server, String question) {
        server.send(question);
        return Long.parseLong(server.expect("BYTES")[0]);
    }

    /** Collects twice: the second collection frees what the first one has handed to a reference queue. */
    private static long usedAfterFullCollection() {
        try {
            Thread.sleep(UNTIL_IDLE);
        } catch (InterruptedException e) {
            throw new IllegalStateException("nobody interrupts this thread", e);
        }
        System.gc();
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
