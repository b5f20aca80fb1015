package org.trueasync.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What counts as a lack of memory, in which the preparation of the dumps stays silent. */
@Tag("K67")
class ThreadDumpsWithoutMemoryTest {
    /** Memory runs out while it is initialized. */
    private static final class Unlucky {
        static final Object VALUE = fail(new OutOfMemoryError("planted"));

        private Unlucky() {}
    }

    /** Cannot be initialized for another reason. */
    private static final class Broken {
        static final Object VALUE = fail(new IllegalStateException("planted"));

        private Broken() {}
    }

    @Test
    void memoryRanOutInTheInitializationOfAClass_isLackOfMemoryAtEachUse() {
        Throwable first = catchThrowable(() -> use(Unlucky.VALUE));
        assertThat(first).isInstanceOf(OutOfMemoryError.class);
        assertThat(silent(first)).isTrue();
        Throwable second = catchThrowable(() -> use(Unlucky.VALUE));
        assertThat(second).isInstanceOf(NoClassDefFoundError.class);
        assertThat(silent(second)).isTrue();
    }

    @Test
    void otherFailureOfAClass_isReportedWithItsCauseAtEachUse() {
        Throwable first = catchThrowable(() -> use(Broken.VALUE));
        assertThat(first).isInstanceOf(ExceptionInInitializerError.class);
        assertThat(silent(first)).isFalse();
        assertThat(ErrorDetails.text(ErrorDetails.rootCause(first)))
                .isEqualTo("java.lang.IllegalStateException: planted");
        Throwable second = catchThrowable(() -> use(Broken.VALUE));
        assertThat(second).isInstanceOf(NoClassDefFoundError.class);
        assertThat(silent(second)).isFalse();
        assertThat(ErrorDetails.text(ErrorDetails.rootCause(second))).contains("java.lang.IllegalStateException");
    }

    @Test
    void programsTextNamesTheError_isReported() {
        assertThat(silent(new IllegalStateException("java.lang.OutOfMemoryError")))
                .isFalse();
    }

    @Test
    void rootCause_ofCausesInACircleIsOneOfThem() {
        var one = new IllegalStateException("one");
        var two = new IllegalStateException("two", one);
        one.initCause(two);
        assertThat(ErrorDetails.rootCause(one)).isIn(one, two);
    }

    private static boolean silent(Throwable error) {
        return ThreadDumps.isOutOfMemory(ErrorDetails.rootCause(error));
    }

    private static Object fail(Throwable planted) {
        throw ThreadDumpsWithoutMemoryTest.<RuntimeException>sneaky(planted);
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> T sneaky(Throwable planted) throws T {
        throw (T) planted;
    }

    private static void use(Object value) {
        assertThat(value).isNotNull();
    }
}
