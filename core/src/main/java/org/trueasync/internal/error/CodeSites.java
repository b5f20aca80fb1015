package org.trueasync.internal.error;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Finds the line of user code in a stack: the innermost frame that is neither ours nor the JDK's. */
public final class CodeSites {
    public static final String UNKNOWN = "unknown";

    /** By name, because this package may not depend on the class's package, which is above it. */
    private static final String COROUTINE = "org.trueasync.internal.kernel.CoroutineImpl";

    private static final String BODY = "execute";

    private static final StackWalker WALKER = StackWalker.getInstance();

    private CodeSites() {}

    /**
     * Returns the place of the innermost frame of user code on the caller's stack, as {@code file:line};
     * {@link #UNKNOWN} if there is none. Costs a stack walk of a few frames.
     */
    public static String caller() {
        Optional<String> site = WALKER.walk(frames -> frames.filter(f -> isUserCode(f.getClassName()))
                .map(StackWalker.StackFrame::toStackTraceElement)
                .filter(f -> !isOfJdkModule(f))
                .findFirst()
                .map(CodeSites::site));
        return site.orElse(UNKNOWN);
    }

    public static String innermost(StackTraceElement @Nullable [] trace) {
        if (trace == null) return UNKNOWN;
        for (StackTraceElement frame : trace) if (isUserCode(frame)) return site(frame);
        return UNKNOWN;
    }

    /** The frames of user code, innermost first. */
    public static List<StackTraceElement> userFrames(StackTraceElement[] trace) {
        return Arrays.stream(trace).filter(CodeSites::isUserCode).toList();
    }

    /**
     * The frames of user code of a coroutine, innermost first. Much cheaper than its trace: the names of methods, the
     * files and the lines of the other frames are not looked up.
     *
     * @param suspended walks over the coroutine's stack
     */
    public static List<StackTraceElement> userFrames(StackWalker suspended) {
        return suspended.walk(frames -> {
            var found = new ArrayList<StackTraceElement>(4);
            for (Iterator<StackWalker.StackFrame> all = frames.iterator(); all.hasNext(); ) {
                StackWalker.StackFrame frame = all.next();
                if (isUserCode(frame.getClassName())) found.add(frame.toStackTraceElement());
                else if (frame.getClassName().equals(COROUTINE)
                        && frame.getMethodName().equals(BODY)) break;
            }
            found.removeIf(CodeSites::isOfJdkModule);
            return found;
        });
    }

    public static String site(StackTraceElement frame) {
        return frame.getFileName() + ":" + frame.getLineNumber();
    }

    /**
     * True for the frame from which the body of a coroutine is called. All frames below it belong to the code that runs
     * coroutines.
     */
    public static boolean isBody(StackTraceElement frame) {
        return frame.getMethodName().equals(BODY) && frame.getClassName().equals(COROUTINE);
    }

    public static boolean isUserCode(StackTraceElement frame) {
        return isUserCode(frame.getClassName()) && !isOfJdkModule(frame);
    }

    /** The JDK has packages that do not begin like its own: {@code javax.crypto}, {@code com.sun.net.httpserver}. */
    private static boolean isOfJdkModule(StackTraceElement frame) {
        String module = frame.getModuleName();
        return module != null && (module.startsWith("java.") || module.startsWith("jdk."));
    }

    /** As {@link #isUserCode(StackTraceElement)}, where only the name of the class is known. */
    public static boolean isUserCode(String className) {
        if (className.startsWith("java.") || className.startsWith("jdk.") || className.startsWith("sun.")) return false;
        return !OwnCode.has(className);
    }
}
