package org.trueasync.testkit;

import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.testkit.Chance;
import org.trueasync.internal.testkit.ScriptedReactor;
import org.trueasync.internal.testkit.Trace;
import org.trueasync.internal.testkit.VirtualReactor;
import org.trueasync.internal.testkit.disk.VirtualDisk;
import org.trueasync.spi.SchedulerProvider;

/** Explores orders in a world that has sockets, whose other end is the test, or in one that has a disk. */
public final class ScriptedSchedules {
    private ScriptedSchedules() {}

    private static final class DiskReactor extends VirtualReactor {
        final VirtualDisk disk;

        DiskReactor(long seed, @Nullable Chance chance, @Nullable Trace trace) {
            super(seed, chance, trace);
            disk = new VirtualDisk(new SplittableRandom(seed));
            mount(disk);
        }
    }

    /** The reactor of the running order. */
    public static ScriptedReactor reactor() {
        return (ScriptedReactor) SchedulerProvider.get().reactor();
    }

    /** The disk of the running order. */
    public static VirtualDisk disk() {
        return ((DiskReactor) SchedulerProvider.get().reactor()).disk;
    }

    public static Exploration of(int orders) {
        return Schedules.of(orders).world(ScriptedReactor::new);
    }

    /** With an empty disk in place of the real files. */
    public static Exploration onDisk(int orders) {
        return Schedules.of(orders).world(DiskReactor::new);
    }
}
