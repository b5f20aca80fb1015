package org.trueasync.internal.failure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ExitErrorsTest {
    private final ExitErrors errors = new ExitErrors();

    @Test
    @Tag("K60")
    void laterError_isOutermostAndCarriesTheEarlierOne() {
        var first = new IllegalStateException("first");
        var later = new IllegalArgumentException("later");
        errors.note(first);
        errors.note(later);
        assertThat(errors.combined()).isSameAs(later).hasCause(first);
    }

    @Test
    void codeThatCanNotBeLinkedAfterwards_exhaustedMemoryStaysOutermost() {
        var exhausted = new OutOfMemoryError("heap");
        errors.note(exhausted);
        errors.note(new BootstrapMethodError("not linked", new OutOfMemoryError("once more")));
        assertThat(errors.combined()).isSameAs(exhausted);
    }

    @Test
    void errorOfItsOwnAfterExhaustedMemory_isOutermost() {
        var own = new IllegalStateException("own");
        var exhausted = new OutOfMemoryError("heap");
        errors.note(exhausted);
        errors.note(own);
        assertThat(errors.combined()).isSameAs(own).hasCause(exhausted);
    }

    @Test
    void programsErrorAboutExhaustedMemory_isNotDropped() {
        var exhausted = new OutOfMemoryError("heap");
        var own = new IllegalStateException("own", exhausted);
        errors.note(exhausted);
        errors.note(own);
        assertThat(errors.combined()).isSameAs(own);
    }

    @Test
    void laterErrorThatCarriesTheEarlierOne_isTakenAsItIs() {
        var first = new IllegalStateException("first");
        var later = new IllegalArgumentException("later");
        later.addSuppressed(first);
        errors.note(first);
        errors.note(later);
        assertThat(errors.combined()).isSameAs(later).hasNoCause();
        assertThat(later.getSuppressed()).containsExactly(first);
    }

    @Test
    void laterErrorThatTheEarlierOneCarries_isNotTakenTwice() {
        var inner = new IllegalArgumentException("inner");
        var first = new IllegalStateException("first", inner);
        errors.note(first);
        errors.note(inner);
        assertThat(errors.combined()).isSameAs(first);
        assertThat(inner).hasNoCause();
    }

    @Test
    void deadlock_staysOutermostAndCarriesWhatFollows() {
        var deadlock = new org.trueasync.DeadlockError("all wait");
        var later = new IllegalStateException("later");
        errors.note(deadlock);
        errors.note(later);
        assertThat(errors.combined()).isSameAs(deadlock).hasSuppressedException(later);
    }

    @Test
    void linkageErrorOfTheProgramsAfterExhaustedMemory_isOutermost() {
        var exhausted = new OutOfMemoryError("heap");
        var own = new NoClassDefFoundError("the program's");
        errors.note(exhausted);
        errors.note(own);
        assertThat(errors.combined()).isSameAs(own).hasCause(exhausted);
    }

    @Test
    void askedAgain_isTheSameAndTakesWhatFollows() {
        var first = new IllegalStateException("first");
        errors.note(first);
        errors.note(first);
        assertThat(errors.combined()).isSameAs(first).hasNoCause();
        assertThat(errors.combined()).isSameAs(first);
        var later = new IllegalArgumentException("later");
        errors.note(later);
        assertThat(errors.combined()).isSameAs(later).hasCause(first);
    }

    @Test
    void none_isNull() {
        assertThat(errors.combined()).isNull();
    }
}
