package org.trueasync.internal.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.trueasync.internal.kernel.CoroutineImpl;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.kernel.Runtimes;
import org.trueasync.internal.work.Work;
import org.trueasync.internal.work.Workers;
import org.trueasync.spi.ResumeCallback;

/**
 * Ends a child and what it has started: asks them, waits for a while, then kills them. The descendants are looked for before the child ends, as
 * the system can't tell them afterwards; the JDK makes sure that a signal meets no other process with the same number.
 */
final class Termination {
    private static final int SIGTERM = 15;
    private static final int SIGKILL = 9;
    /** How long a killed process may take to be gone: it may hang in the system, and then nobody can do anything. */
    private static final Duration GRACE_PERIOD = Duration.ofSeconds(2);
    /** The system does not tell when a process ends that is not our child. */
    private static final Duration FIRST_LOOK = Duration.ofMillis(5);

    private static final Duration LAST_LOOK = Duration.ofMillis(100);
    /** Also for a child that is detached, which is no error of whoever ends it. */
    private static final ResumeCallback WAKE = (waker, event, status, error) -> waker.wake(null);

    private final Loop loop;
    private final ChildCore child;

    private Termination(ChildCore child) {
        this.loop = child.loop;
        this.child = child;
    }

    /**
     * Ends it; suspends for at most the grace period and a little more, cancelled or not. However this ends, the child is reaped sooner or later.
     *
     * @param child which
     * @param grace between request and kill
     */
    static void of(ChildCore child, Duration grace) {
        if (child.hasEnded() || child.isForgotten()) return;
        var termination = new Termination(child);
        try {
            Runtimes.currentCoroutine("ending a child process").shield(() -> {
                termination.end(grace);
                return true;
            });
        } finally {
            if (!child.hasEnded()) child.kill(SIGKILL);
            child.forget();
        }
    }

    private void end(Duration grace) {
        Set<ProcessHandle> family = new LinkedHashSet<>(descendants());
        child.kill(SIGTERM);
        signal(family, false);
        if (awaitEnd(grace, family)) return;
        if (!child.hasEnded()) family.addAll(descendants());
        child.kill(SIGKILL);
        signal(family, true);
        awaitEnd(GRACE_PERIOD, family);
    }

    private List<ProcessHandle> descendants() {
        return Work.await(
                loop,
                Workers.PROCESSES,
                "look for the descendants of child process " + child.shown(),
                () -> ProcessHandle.of(child.pid())
                        .map(process -> process.descendants().toList())
                        .orElse(List.of()),
                undone -> {},
                null);
    }

    private void signal(Set<ProcessHandle> family, boolean forcibly) {
        if (family.isEmpty()) return;
        Work.await(
                loop,
                Workers.PROCESSES,
                "end the descendants of child process " + child.shown(),
                () -> {
                    for (ProcessHandle process : family) {
                        if (forcibly) process.destroyForcibly();
                        else process.destroy();
                    }
                    return true;
                },
                undone -> {},
                null);
    }

    /** True if all have ended within this time, or if somebody has detached the child meanwhile: then it is left to itself. */
    private boolean awaitEnd(Duration limit, Set<ProcessHandle> family) {
        long end = loop.reactor().nanoTime() + limit.toNanos();
        long pause = FIRST_LOOK.toNanos();
        while (!child.isForgotten() && (!child.hasEnded() || anyLives(family))) {
            long left = end - loop.reactor().nanoTime();
            if (left <= 0) return false;
            CoroutineImpl<?> self = Runtimes.currentCoroutine("the end of a child process");
            self.newWait();
            if (child.hasEnded()) {
                left = Math.min(left, pause);
                pause = Math.min(2 * pause, LAST_LOOK.toNanos());
            } else {
                self.resumeWhen(child.exit(), WAKE);
            }
            self.resumeWhen(loop.timers().oneShot(Duration.ofNanos(left)), ResumeCallback.RESOLVE);
            self.awaitEvents();
        }
        return true;
    }

    private boolean anyLives(Set<ProcessHandle> family) {
        if (family.isEmpty()) return false;
        return Work.await(
                loop,
                Workers.PROCESSES,
                "look whether the descendants of child process " + child.shown() + " live",
                () -> family.stream().anyMatch(process -> process.isAlive() && !isZombie(process)),
                undone -> {},
                null);
    }

    /** Ended, but its parent does not care; where that is process 1 of a container, for ever. */
    private static boolean isZombie(ProcessHandle process) {
        try {
            String status = Files.readString(Path.of("/proc/" + process.pid() + "/stat"), StandardCharsets.ISO_8859_1);
            // what follows the name, which may have anything in it
            return status.startsWith(" Z", status.lastIndexOf(')') + 1);
        } catch (IOException goneOrNoSuchFolder) {
            return false;
        }
    }
}
