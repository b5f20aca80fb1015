package org.trueasync.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TracesTest {
    @Test
    void plumbingAtTheBottom_isTakenOff() {
        Exception cause = with("org.other.Library.call", "App.main", "java.lang.reflect.Method.invoke");
        Exception error = with(
                "org.trueasync.internal.kernel.Wait.suspend",
                "App.main",
                "jdk.internal.reflect.DirectMethodHandleAccessor.invoke",
                "java.lang.reflect.Method.invoke",
                "org.trueasync.launcher.MainMethod.run",
                "java.lang.VirtualThread.run");
        error.initCause(cause);
        Traces.trim(error);
        assertThat(error.getStackTrace())
                .extracting(StackTraceElement::getClassName)
                .containsExactly("org.trueasync.internal.kernel.Wait", "App");
        assertThat(cause.getStackTrace()).hasSize(2);
    }

    @Test
    void traceOfNothingButPlumbing_isKept() {
        Exception error = with("org.trueasync.internal.kernel.Scheduler.tick", "java.lang.Thread.run");
        Traces.trim(error);
        assertThat(error.getStackTrace()).hasSize(2);
    }

    @Test
    void circleOfCauses_ends() {
        Exception a = with("App.main", "java.lang.Thread.run");
        Exception b = with("App.main", "java.lang.Thread.run");
        a.initCause(b);
        b.initCause(a);
        Traces.trim(a);
        assertThat(b.getStackTrace()).hasSize(1);
    }

    private static Exception with(String... frames) {
        Exception error = new Exception("x");
        StackTraceElement[] elements = new StackTraceElement[frames.length];
        for (int i = 0; i < frames.length; i++) {
            int dot = frames[i].lastIndexOf('.');
            elements[i] = new StackTraceElement(frames[i].substring(0, dot), frames[i].substring(dot + 1), "F.java", 1);
        }
        error.setStackTrace(elements);
        return error;
    }
}
