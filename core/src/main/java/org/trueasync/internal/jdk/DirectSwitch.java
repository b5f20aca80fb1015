package org.trueasync.internal.jdk;

import java.util.List;
import org.trueasync.internal.error.CodeSites;

/*
 * Freezes and thaws the continuation under a virtual thread without the detour through its scheduling state.
 *
 * A Thread.yield costs, beside the freeze and the thaw, four ordered writes of the thread's state, a compare-and-set,
 * and a lock taken to tell a concurrent interrupt that the carrier is gone: about a third on top of a bare
 * continuation. None of it is needed between two coroutines of one loop, where only the loop thread ever mounts the
 * thread. So here the continuation is yielded and run directly; what remains is telling the JVM who the current thread
 * is, and JVMTI that a thread comes and goes (debuggers rely on it).
 *
 * Meanwhile the thread is in the state STARTED: for the JDK not runnable, not parked, with an empty stack. An unpark
 * leaves its permit, an interrupt its flag; thread dumps do not touch it. An interrupt that comes just as the thread
 * leaves may set the flag of the carrier; the next mount, which looks at it, clears it.
 *
 * As soon as JDK code parks the thread, the JDK's own way takes over (VirtualThreads.parkedOrEnded), until the next
 * time that we suspend it.
 */
final class DirectSwitch implements ThreadSwitch {
    DirectSwitch() {
        VirtualThreads.link();
    }

    @Override
    public boolean start(SwitchedThread switched) {
        if (VirtualThreads.TRACKED) switched.thread.start();
        else VirtualThreads.adopt(switched.thread);
        return !VirtualThreads.TRACKED;
    }

    @Override
    public void run(SwitchedThread switched) {
        switched.task().run();
        if (switched.isHeld()) VirtualThreads.markFrozen(switched.thread);
    }

    @Override
    public void resume(SwitchedThread switched) {
        Thread virtual = switched.thread;
        Thread carrier = Thread.currentThread();
        Object continuation = VirtualThreads.continuationOf(virtual);
        VirtualThreads.thaw(virtual, continuation, carrier);
        if (switched.isHeld()) VirtualThreads.frozen(virtual, carrier);
        else VirtualThreads.parkedOrEnded(virtual, continuation, switched.dedicated || VirtualThreads.TRACKED);
    }

    @Override
    public boolean leave(SwitchedThread switched) {
        return VirtualThreads.freeze(switched.thread);
    }

    @Override
    public boolean isHandingOver(SwitchedThread switched) {
        return false;
    }

    @Override
    public StackTraceElement[] trace(SwitchedThread switched) {
        return walker(switched).walk(frames -> frames.map(StackWalker.StackFrame::toStackTraceElement)
                .toArray(StackTraceElement[]::new));
    }

    @Override
    public List<StackTraceElement> userFrames(SwitchedThread switched) {
        return CodeSites.userFrames(walker(switched));
    }

    private static StackWalker walker(SwitchedThread switched) {
        return VirtualThreads.walkerOf(VirtualThreads.continuationOf(switched.thread));
    }
}
