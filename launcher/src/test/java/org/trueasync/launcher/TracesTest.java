package org.trueasync.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class TracesTest {
    private static final String NL = System.lineSeparator();

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
        assertThat(Traces.text(error))
                .isEqualTo(String.join(
                        NL,
                        "java.lang.Exception: x",
                        "\tat org.trueasync.internal.kernel.Wait.suspend(F.java:1)",
                        "\tat App.main(F.java:1)",
                        "Caused by: java.lang.Exception: x",
                        "\tat org.other.Library.call(F.java:1)",
                        "\t... 1 more",
                        ""));
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
        assertThat(Traces.text(error)).isEqualTo(expected.toString());
    }

    @Test
    void circleOfCauses_ends() {
        Exception a = with("App.main", "java.lang.Thread.run");
        Exception b = with("App.main", "java.lang.Thread.run");
        a.initCause(b);
        b.initCause(a);
        assertThat(Traces.text(a))
                .endsWith("Caused by: java.lang.Exception: x" + NL + "\t... 1 more" + NL
                        + "Caused by: [CIRCULAR REFERENCE: java.lang.Exception: x]" + NL);
    }

    @Test
    void errorWhoseMessageFails_isToldByItsClassAndFrames() {
        Exception error = new MuteException();
        error.initCause(new IOException("below"));
        error.addSuppressed(new IOException("beside"));
        assertThat(Traces.text(error))
                .startsWith(MuteException.class.getName() + " (its message can't be had)")
                .contains("\tat " + TracesTest.class.getName() + ".errorWhoseMessageFails_isToldByItsClassAndFrames")
                .contains("\tSuppressed: java.io.IOException: beside", "Caused by: java.io.IOException: below");
    }

    @Test
    void errorWhoseMessageFailsBelowAnother_hidesNothing() {
        assertThat(Traces.text(new IOException("above", new MuteException())))
                .startsWith("java.io.IOException: above")
                .contains("Caused by: " + MuteException.class.getName());
    }

    @Test
    @Tag("F51")
    void errorWhoseTextIsNull_isToldByItsClass() {
        Exception error = new TextlessException();
        assertThat(Traces.text(error))
                .startsWith(TextlessException.class.getName() + " (its message can't be had)" + NL + "\tat ")
                .doesNotContain("null");
        assertThat(Traces.text(new IOException("above", error)))
                .contains("Caused by: " + TextlessException.class.getName());
    }

    @Test
    @Tag("F51")
    void textWithoutEnd_isCut() {
        assertThat(Traces.text(new IOException("long ".repeat(1 << 20)))).hasSizeLessThan(20_000);
    }

    @Test
    @Tag("F51")
    void endlessTree_isCut() {
        Exception error = new EndlessException();
        for (int i = 0; i < 200; i++) {
            error.addSuppressed(new EndlessException());
        }
        assertThat(Traces.text(error)).contains("[more errors]").hasSizeLessThan(2_000_000);
    }

    @Test
    void newCauseForEachQuestion_ends() {
        assertThat(Traces.text(new EndlessException()))
                .startsWith(EndlessException.class.getName())
                .endsWith("[more errors]" + NL);
    }

    @Test
    void errorThatAnswersNothing_isNamed() {
        assertThat(Traces.text(new SilentException()))
                .isEqualTo(SilentException.class.getName() + " (its message can't be had)" + NL);
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

    private static class MuteException extends Exception {
        private static final long serialVersionUID = 1;

        @Override
        public String getMessage() {
            throw new IllegalStateException("no message");
        }
    }

    private static final class TextlessException extends Exception {
        private static final long serialVersionUID = 1;

        @Override
        @SuppressWarnings({"NullAway", "OverrideThrowableToString"}) // what this is about
        public @Nullable String toString() {
            return null;
        }
    }

    private static final class EndlessException extends Exception {
        private static final long serialVersionUID = 1;

        @Override
        @SuppressWarnings("UnsynchronizedOverridesSynchronized")
        public Throwable getCause() {
            return new EndlessException();
        }
    }

    private static final class SilentException extends MuteException {
        private static final long serialVersionUID = 1;

        @Override
        public StackTraceElement[] getStackTrace() {
            throw new IllegalStateException("no trace");
        }

        @Override
        @SuppressWarnings("UnsynchronizedOverridesSynchronized")
        public Throwable getCause() {
            throw new IllegalStateException("no cause");
        }
    }
}
