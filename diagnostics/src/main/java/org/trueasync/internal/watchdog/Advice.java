package org.trueasync.internal.watchdog;

import java.util.List;
import org.trueasync.internal.error.CodeSites;

/** Advice about code that holds a loop, chosen by its stack. */
enum Advice {
    INITIALISER(
            "a class initialiser can't be left by a coroutine: load the class on another thread first, or do the waiting outside of it"),
    FILES("the JDK blocks the thread for files: use AsyncFile, or Async.blocking(...) around the call"),
    CHILDREN(
            "starting a process, and its pipes where TrueAsync can't replace them, block the thread: use Exec, or Async.blocking(...) around the call"),
    NAMES(
            "the system's resolver blocks the thread, and a coroutine could not wait here: use Dns, or look up in the coroutine's own code"),
    CONSOLE("the console blocks the thread: read System.in, or use Tty, or Async.blocking(...) around the call"),
    CLASSES("classes are being loaded or initialised: use them once before, or on another thread"),
    DRIVER(
            "a database driver works on the loop's thread, in native code or inside the JVM: build the PooledDataSource with onHelperThreads(true), or put Async.blocking(...) around the query"),
    FLOOD(
            "other threads bring work faster than this loop can take it in: let each of them wait for the answer before it asks again, after a failure for a moment, or share one loop among fewer of them"),
    NATIVE("native code blocks the thread: put Async.blocking(...) around the call"),
    SPINNING(
            "a loop of Thread.onSpinWait() or of nothing needs another thread: use what waits (for a pool: no wait without a limit, or as many resources as callers), or put Async.blocking(...) around it"),
    COMPUTING(
            "put Async.blocking(...) around what computes, or give it to a ThreadPool; a loop of your own may also let the others run with Async.suspend() now and then");

    /**
     * The number of innermost frames in which class loading is looked for: a class loader of the program's own may have
     * frames above the JDK's.
     */
    private static final int LOADING_DEPTH = 6;

    /** A look at a queue, a flag or a clock takes at most so many frames of the JDK. */
    private static final int LOOKING_DEPTH = 2;

    private final String advice;

    Advice(String advice) {
        this.advice = advice;
    }

    /**
     * The advice for code that waits for ever with this stack, in one line.
     *
     * @param stack innermost frame first
     */
    static String ofDeadlock(List<StackTraceElement> stack) {
        String advice = initialises(stack)
                ? "use the class once before, where nobody else waits; or take the lock outside of its initialiser"
                : loadsClasses(stack)
                        ? "load the class once before the coroutines need it, or put Async.blocking(...) around what loads it"
                        : "put Async.blocking(...) around the call that can't leave the thread, or take no lock there that is held over a wait";
        return "Way out: " + advice;
    }

    /** True while the loop takes in what other threads have brought: no code of the coroutine that is running. */
    static boolean takesIn(StackTraceElement frame) {
        return frame.getClassName().equals("org.trueasync.internal.kernel.RemoteQueue")
                && frame.getMethodName().equals("drain");
    }

    static boolean loadsClasses(List<StackTraceElement> stack) {
        return stack.stream().limit(LOADING_DEPTH).anyMatch(Advice::isOfLoading);
    }

    /** True for the JDK's own part of loading a class. */
    static boolean isOfLoading(StackTraceElement frame) {
        String name = frame.getClassName();
        return name.startsWith("jdk.internal.loader.")
                || name.equals("java.lang.ClassLoader")
                || (name.equals("java.lang.Class") && frame.getMethodName().startsWith("forName"));
    }

    static boolean initialises(List<StackTraceElement> stack) {
        return stack.stream().anyMatch(frame -> frame.getMethodName().equals("<clinit>"));
    }

    /**
     * The advice for a stack, in one line.
     *
     * @param stack innermost frame first
     * @param waits whether the thread waits there, and does not compute
     */
    static String of(List<StackTraceElement> stack, boolean waits) {
        return find(stack, waits).line();
    }

    /**
     * The advice for code that is found at the same place again and again: whether it looks for what another coroutine
     * must do, or computes. Far below what the program has called, the JDK computes: it matches, sorts, parses.
     *
     * @param stack innermost frame first
     */
    static Advice ofSpin(List<StackTraceElement> stack) {
        if (stack.stream().anyMatch(Advice::takesIn)) return FLOOD;
        long ofTheJdk =
                stack.stream().takeWhile(frame -> !CodeSites.isUserCode(frame)).count();
        String top = stack.getFirst().getClassName();
        boolean looks = ofTheJdk <= LOOKING_DEPTH
                || top.equals("java.lang.Thread")
                || top.startsWith("java.util.concurrent.")
                || top.startsWith("org.trueasync.");
        return looks && !top.startsWith("java.util.regex.") ? SPINNING : COMPUTING;
    }

    String line() {
        return "Way out: " + advice;
    }

    private static Advice find(List<StackTraceElement> stack, boolean waits) {
        if (!waits && stack.stream().anyMatch(Advice::takesIn)) return FLOOD;
        if (initialises(stack)) return waits ? INITIALISER : CLASSES;
        for (StackTraceElement frame : stack) {
            String name = frame.getClassName();
            if (name.startsWith("java.lang.Process") || name.startsWith("java.lang.ForkExec")) return CHILDREN;
            if (name.startsWith("java.net.Inet") && name.contains("Address")) return NAMES;
            if (name.startsWith("jdk.internal.io.")
                    || name.startsWith("java.io.Console")
                    || name.startsWith("java.lang.System$In")) return CONSOLE;
            if (isOfLoading(frame)) return CLASSES;
            if (isOfDriver(name)) return DRIVER;
            if (isOfFiles(name) && waits) return FILES;
        }
        return waits ? NATIVE : COMPUTING;
    }

    /** True for a driver that is known to block or to compute, or for our code around one, which may be hidden. */
    private static boolean isOfDriver(String name) {
        return name.startsWith("org.sqlite.")
                || name.startsWith("org.duckdb.")
                || name.startsWith("org.h2.")
                || name.startsWith("org.hsqldb.")
                || name.startsWith("org.apache.derby.")
                || name.startsWith("org.trueasync.internal.jdbc.");
    }

    private static boolean isOfFiles(String name) {
        return name.startsWith("java.io.File")
                || name.startsWith("java.io.RandomAccessFile")
                || name.startsWith("java.io.UnixFileSystem")
                || name.startsWith("sun.nio.fs.")
                || (name.startsWith("sun.nio.ch.") && name.contains("File"))
                || name.startsWith("java.util.zip.ZipFile");
    }
}
