package org.trueasync.internal.blackbox;

import com.sun.management.GarbageCollectionNotificationInfo;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.management.NotificationEmitter;
import javax.management.openmbean.CompositeData;

/** The pauses of the garbage collector. Nothing is known of them where the JVM's management beans are missing. */
final class JvmPauses {
    private static final boolean AVAILABLE =
            ModuleLayer.boot().findModule("java.management").isPresent()
                    && ModuleLayer.boot().findModule("jdk.management").isPresent();
    private static final int MAX = 256;
    private static final AtomicBoolean BEGUN = new AtomicBoolean();
    private static volatile boolean ready;

    private JvmPauses() {}

    /**
     * A pause.
     *
     * @param from by {@link System#nanoTime}, to a millisecond
     * @param to as well
     * @param what the collector, and why
     */
    record Pause(long from, long to, String what) {}

    /** Loads the beans on a thread of its own, which takes tens of milliseconds; until then there are no pauses. */
    static void begin() {
        if (!AVAILABLE || !BEGUN.compareAndSet(false, true)) return;
        Thread.ofPlatform()
                .daemon()
                .inheritInheritableThreadLocals(false)
                .name("trueasync-black-box-beans")
                .start(() -> {
                    Beans.listen();
                    ready = true;
                });
    }

    /** Nanoseconds of all pauses so far, in whole milliseconds; -1 as long as that is not known. */
    static long total() {
        return ready ? Beans.total() : -1;
    }

    /** The last ones, oldest first. */
    static List<Pause> last() {
        return ready ? Beans.last() : List.of();
    }

    /** A class of its own, as it needs the classes of the beans. */
    private static final class Beans {
        private static final List<GarbageCollectorMXBean> STOPPING =
                ManagementFactory.getGarbageCollectorMXBeans().stream()
                        .filter(bean -> !isConcurrent(bean.getName()))
                        .toList();
        private static final Queue<Pause> LAST = new ArrayDeque<>();

        private static boolean isConcurrent(String collector) {
            return collector.contains("Concurrent") || collector.endsWith("Cycles");
        }

        static long total() {
            long millis = 0;
            for (GarbageCollectorMXBean bean : STOPPING) millis += Math.max(0, bean.getCollectionTime());
            return TimeUnit.MILLISECONDS.toNanos(millis);
        }

        static void listen() {
            for (GarbageCollectorMXBean bean : STOPPING)
                if (bean instanceof NotificationEmitter emitter)
                    emitter.addNotificationListener(
                            (notification, nothing) -> {
                                if (notification.getUserData() instanceof CompositeData data)
                                    add(GarbageCollectionNotificationInfo.from(data));
                            },
                            null,
                            null);
        }

        private static void add(GarbageCollectionNotificationInfo info) {
            long uptime = ManagementFactory.getRuntimeMXBean().getUptime();
            long now = System.nanoTime();
            var pause = new Pause(
                    now
                            - TimeUnit.MILLISECONDS.toNanos(
                                    uptime - info.getGcInfo().getStartTime()),
                    now
                            - TimeUnit.MILLISECONDS.toNanos(
                                    uptime - info.getGcInfo().getEndTime()),
                    info.getGcAction() + ", " + info.getGcCause());
            synchronized (LAST) {
                if (LAST.size() == MAX) LAST.remove();
                LAST.add(pause);
            }
        }

        static List<Pause> last() {
            synchronized (LAST) {
                return new ArrayList<>(LAST);
            }
        }
    }
}
