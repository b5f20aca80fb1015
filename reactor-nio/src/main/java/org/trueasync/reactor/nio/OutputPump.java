package org.trueasync.reactor.nio;

import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Writes to a stream that blocks, on a thread of its own, in order. */
final class OutputPump {
    /*
     * The thread begins with the first job, or with close(), and ends after close(), when its system call has returned.
     * It then closes the target itself, because closing may wait for a writer. Jobs that have not begun by then are
     * dropped.
     */
    private final String name;
    private final OutputStream target;
    private final ConcurrentLinkedQueue<Job> jobs = new ConcurrentLinkedQueue<>();
    private @Nullable Thread thread;
    private volatile boolean closed;

    /** Bytes to write, or null to close the target; and a callback, which runs on the pump's thread. */
    private static final class Job {
        final byte @Nullable [] bytes;
        final Consumer<@Nullable IOException> whenDone;

        Job(byte @Nullable [] bytes, Consumer<@Nullable IOException> whenDone) {
            this.bytes = bytes;
            this.whenDone = whenDone;
        }
    }

    /**
     * Makes a pump without a thread.
     *
     * @param name of its thread
     * @param target to write to; belongs to the pump
     */
    OutputPump(String name, OutputStream target) {
        this.name = name;
        this.target = target;
    }

    /**
     * Queues bytes, which are written after all earlier jobs. Loop thread.
     *
     * @param bytes belong to the pump
     * @param whenDone called on the pump's thread, with the error or null
     */
    void write(byte[] bytes, Consumer<@Nullable IOException> whenDone) {
        add(new Job(bytes, whenDone));
    }

    /**
     * Queues the closing of the target, after all earlier jobs. Loop thread.
     *
     * @param whenDone called on the pump's thread, with the error or null
     */
    void end(Consumer<@Nullable IOException> whenDone) {
        add(new Job(null, whenDone));
    }

    private void add(Job job) {
        jobs.add(job);
        if (thread == null) thread = Pumps.start(name, this::pump);
        else LockSupport.unpark(thread);
    }

    private void pump() {
        while (!closed) {
            Job job = jobs.poll();
            if (job != null) job.whenDone.accept(done(job));
            else LockSupport.park(this);
        }
        closeTarget();
    }

    private void closeTarget() {
        try {
            target.close();
        } catch (IOException nothingToBeDone) {
            // it is closed all the same
        }
    }

    private @Nullable IOException done(Job job) {
        try {
            if (job.bytes == null) {
                target.close();
            } else {
                target.write(job.bytes);
                target.flush();
            }
            return null;
        } catch (IOException e) {
            return e;
        }
    }

    /** Drops the jobs, and has the pump's thread close the target when a write under way has returned. */
    void close() {
        closed = true;
        jobs.clear();
        if (thread == null) thread = Pumps.start(name, this::pump);
        else LockSupport.unpark(thread);
    }
}
