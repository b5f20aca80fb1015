package org.trueasync.internal.kernel;

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
}
