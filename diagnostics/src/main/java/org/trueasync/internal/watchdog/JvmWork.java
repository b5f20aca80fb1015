package org.trueasync.internal.watchdog;

import java.lang.management.ClassLoadingMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * What the JVM does for itself, as far as it tells. Where its management beans are missing, the figures are 0, and the
 * processor time is -1.
 */
final class JvmWork {
    private static final boolean AVAILABLE =
            ModuleLayer.boot().findModule("java.management").isPresent();

    private JvmWork() {}

    /** Nanoseconds of garbage collection since the JVM began, concurrent collection included. */
    static long collecting() {
        return AVAILABLE ? Beans.collecting() : 0;
    }

    /** How many classes have been loaded since the JVM began. */
    static long classesLoaded() {
        return AVAILABLE ? Beans.CLASSES.getTotalLoadedClassCount() : 0;
    }

    /** Nanoseconds that a platform thread has had a processor; -1 if that is not known. */
    static long processorTime(Thread thread) {
        return AVAILABLE ? Beans.THREADS.getThreadCpuTime(thread.threadId()) : -1;
    }

    /** A class of its own, as it needs the classes of the beans. */
    private static final class Beans {
        static final ClassLoadingMXBean CLASSES = ManagementFactory.getClassLoadingMXBean();
        static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
        static final List<GarbageCollectorMXBean> COLLECTORS = ManagementFactory.getGarbageCollectorMXBeans();

        static long collecting() {
            long millis = 0;
            for (GarbageCollectorMXBean collector : COLLECTORS) millis += Math.max(0, collector.getCollectionTime());
            return TimeUnit.MILLISECONDS.toNanos(millis);
        }
    }
}
