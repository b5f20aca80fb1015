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
 * Ends a child and its descendants: sends SIGTERM, waits for a while, then kills them. The descendants are looked up
 * before the child ends, because the system can't tell them afterwards. The JDK makes sure that a signal does not hit
 * another process with the same number.
 */
final class Termination {
    private static final int SIGTERM = 15;
    private static final int SIGKILL = 9;
    /** How long to wait for the end of a killed process; it may hang in the system. */
    private static final Duration KILL_LIMIT = Duration.ofSeconds(2);
    /**
     * Shortest interval of the checks whether descendants live: the system does not report the end of a process that is
     * not our child.
     */
    private static final Duration SHORTEST_INTERVAL = Duration.ofMillis(5);

    /** Longest interval of these checks. */
    private static final Duration LONGEST_INTERVAL = Duration.ofMillis(100);
    /** Wakes without an error even if the child was detached: that is no failure of its termination. */
    private static final ResumeCallback WAKE = (waker, event, status, error) -> waker.wake(null);

    private final Loop loop;
    private final ChildCore child;

    private Termination(ChildCore child) {
        this.loop = child.loop;
        this.child = child;
    }

    /**
     * Ends a child; suspends for at most the grace period and about 2 s more, even if cancelled. Whatever happens here,
     * the child is reaped sooner or later.
     *
     * @param child to end
     * @param grace time between SIGTERM and SIGKILL
     */
    static void of(ChildCore child, Duration grace) {
        if (child.hasEnded() || child.isDetached()) return;
        var termination = new Termination(child);
        try {
            Runtimes.currentCoroutine("ending a child process").shield(() -> {
                termination.end(grace);
                return true;
            });
        } finally {
            if (!child.hasEnded()) child.kill(SIGKILL);
            child.detach();
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
        awaitEnd(KILL_LIMIT, family);
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

    /** True if all have ended within this time, or if the child was detached meanwhile: then it is left alone. */
    private boolean awaitEnd(Duration limit, Set<ProcessHandle> family) {
        long end = loop.reactor().nanoTime() + limit.toNanos();
        long pause = SHORTEST_INTERVAL.toNanos();
        while (!child.isDetached() && (!child.hasEnded() || anyLives(family))) {
            long left = end - loop.reactor().nanoTime();
            if (left <= 0) return false;
            CoroutineImpl<?> self = Runtimes.currentCoroutine("the end of a child process");
            self.newWait();
            if (child.hasEnded()) {
                left = Math.min(left, pause);
                pause = Math.min(2 * pause, LONGEST_INTERVAL.toNanos());
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

    /**
     * True if the process has ended, but its parent has not reaped it; if that is process 1 of a container, perhaps it
     * never does.
     */
    private static boolean isZombie(ProcessHandle process) {
        try {
            String status = Files.readString(Path.of("/proc/" + process.pid() + "/stat"), StandardCharsets.ISO_8859_1);
            // the state follows the name, which may contain any character
            return status.startsWith(" Z", status.lastIndexOf(')') + 1);
        } catch (IOException goneOrNoSuchFolder) {
            return false;
        }
    }
}
