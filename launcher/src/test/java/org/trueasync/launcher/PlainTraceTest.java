package org.trueasync.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class PlainTraceTest {
    @Test
    void errorWhoseMessageFails_isToldByItsClassAndFrames() {
        Exception error = new MuteException();
        error.initCause(new IOException("below"));
        error.addSuppressed(new IOException("beside"));
        assertThat(Traces.text(error))
                .startsWith(MuteException.class.getName() + " (its message can't be had)")
                .contains(
                        "\tat " + PlainTraceTest.class.getName() + ".errorWhoseMessageFails_isToldByItsClassAndFrames")
                .contains("\tSuppressed: java.io.IOException: beside", "Caused by: java.io.IOException: below");
    }

    @Test
    void errorWhoseMessageFailsBelowAnother_hidesNothing() {
        assertThat(Traces.text(new IOException("above", new MuteException())))
                .startsWith("java.io.IOException: above")
                .contains("Caused by: " + MuteException.class.getName());
    }

    @Test
    void circleOfCauses_ends() {
        Exception a = new MuteException();
        a.initCause(new IOException("b", a));
        assertThat(PlainTrace.text(a)).endsWith("Caused by: [circle back to " + MuteException.class.getName() + "]\n");
        Exception c = new Exception("c");
        c.initCause(new Exception("d", c));
        assertThat(Traces.text(c)).contains("c", "Caused by: java.lang.Exception: d");
    }

    @Test
    void newCauseForEachQuestion_ends() {
        assertThat(Traces.text(new EndlessException()))
                .startsWith(EndlessException.class.getName())
                .endsWith("[more causes]\n");
    }

    @Test
    void errorThatAnswersNothing_isNamed() {
        assertThat(Traces.text(new SilentException()))
                .isEqualTo(SilentException.class.getName() + " (its message can't be had)\n");
    }

    private static class MuteException extends Exception {
        private static final long serialVersionUID = 1;

        @Override
        public String getMessage() {
            throw new IllegalStateException("no message");
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
