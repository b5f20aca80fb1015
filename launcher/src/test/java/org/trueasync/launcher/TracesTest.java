package org.trueasync.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class TracesTest {
    private static final String NL = System.lineSeparator();

    @Test
    void plumbingAtTheBottom_isTakenOff() {
        Exception cause = with("org.other.Library.call", "App.main", "java.lang.VirtualThread.run");
        Exception error = with(
                "org.trueasync.internal.kernel.Wait.suspend",
                "App.main",
                "jdk.internal.reflect.DirectMethodHandleAccessor.invoke",
                "java.lang.reflect.Method.invoke",
                "org.trueasync.launcher.MainMethod.run",
                "java.lang.VirtualThread.run");
        error.initCause(cause);
        error.addSuppressed(with("App.close", "java.lang.VirtualThread.runWith", "java.lang.VirtualThread.run"));
        assertThat(Traces.text(error))
                .isEqualTo(String.join(
                        NL,
                        "java.lang.Exception: x",
                        "\tat org.trueasync.internal.kernel.Wait.suspend(F.java:1)",
                        "\tat App.main(F.java:1)",
                        "\tSuppressed: java.lang.Exception: x",
                        "\t\tat App.close(F.java:1)",
                        "\t\t... 1 more",
                        "Caused by: java.lang.Exception: x",
                        "\tat org.other.Library.call(F.java:1)",
                        "\tat App.main(F.java:1)",
                        "\t... 1 more"));
        assertThat(error.getStackTrace()).as("the error itself").hasSize(6);
    }

    @Test
    void traceOfNothingButPlumbing_isKept() {
        Exception error = with("org.trueasync.internal.kernel.Loop.tick", "java.lang.Thread.run");
        assertThat(Traces.text(error).lines()).hasSize(3);
        assertThat(Traces.isPlumbing(error)).isTrue();
    }

    @Test
    void causesAndSuppressed_areToldAsTheJdkDoes() {
        Exception inner = withFrames(new IOException("inner"), "App.read", "App.main");
        Exception beside = withFrames(new IOException("beside", inner), "App.close", "App.main");
        Exception error = withFrames(new IllegalStateException("outer", inner), "App.work", "App.main");
        error.addSuppressed(beside);
        error.addSuppressed(withFrames(new Exception(error), "Other.work", "App.main"));
        var expected = new StringWriter();
        error.printStackTrace(new PrintWriter(expected));
        assertThat(Traces.text(error)).isEqualTo(expected.toString().stripTrailing());
    }

    @Test
    void errorWhoseMessageFails_isToldByItsClassAndFrames() {
        assertThat(Traces.text(new MuteException()))
                .startsWith(MuteException.class.getName() + NL + "\tat ")
                .contains(".errorWhoseMessageFails_isToldByItsClassAndFrames");
    }

    private static Exception with(String... frames) {
        return withFrames(new Exception("x"), frames);
    }

    private static Exception withFrames(Exception error, String... frames) {
        StackTraceElement[] elements = new StackTraceElement[frames.length];
        for (int i = 0; i < frames.length; i++) {
            int dot = frames[i].lastIndexOf('.');
            elements[i] = new StackTraceElement(frames[i].substring(0, dot), frames[i].substring(dot + 1), "F.java", 1);
        }
        error.setStackTrace(elements);
        return error;
    }

    private static final class MuteException extends Exception {
        private static final long serialVersionUID = 1;

        @Override
        public String getMessage() {
            throw new IllegalStateException("no message");
        }
    }
}
