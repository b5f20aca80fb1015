package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ExceptionsTest {
    @Test
    @Tag("U20")
    void cancellation_isAnErrorWithItsChild() {
        assertThat(AsyncCancellation.class.getSuperclass()).isEqualTo(Error.class);
        assertThat(OperationCanceledException.class.getSuperclass()).isEqualTo(AsyncCancellation.class);
        var reason = new IllegalStateException("token's reason");
        assertThat(new OperationCanceledException("given up", reason)).hasCause(reason);
    }

    @Test
    @Tag("U21")
    void asyncException_isUncheckedWithItsChildren() {
        assertThat(AsyncException.class.getSuperclass()).isEqualTo(RuntimeException.class);
        assertThat(ContextException.class.getSuperclass()).isEqualTo(AsyncException.class);
    }

    @Test
    @Tag("U22")
    void outcomes_areBesideItNotBelowIt() {
        for (Class<?> type :
                new Class<?>[] {AsyncTimeoutException.class, InputOutputException.class, PollException.class}) {
            assertThat(AsyncException.class.isAssignableFrom(type))
                    .as(type.getName())
                    .isFalse();
            assertThat(RuntimeException.class.isAssignableFrom(type))
                    .as(type.getName())
                    .isTrue();
        }
        assertThat(Error.class.isAssignableFrom(DeadlockError.class)).isTrue();
        assertThat(AsyncCancellation.class.isAssignableFrom(DeadlockError.class))
                .isFalse();
        assertThat(new AsyncTimeoutException(Duration.ofMillis(30)).after()).isEqualTo(Duration.ofMillis(30));
        assertThat(new InputOutputException("connect", "ECONNREFUSED").errno()).isEqualTo("ECONNREFUSED");
    }

    @Test
    @Tag("U23")
    void composite_listsInOrderFirstAsCauseOthersSuppressed() {
        var composite = new CompositeException();
        assertThat(composite.exceptions()).isEmpty();
        assertThat(composite).hasNoCause();
        var first = new IllegalStateException("first");
        var second = new IllegalArgumentException("second");
        composite.add(first);
        composite.add(second);
        composite.add(first);
        assertThat(composite.exceptions()).containsExactly(first, second, first);
        assertThat(composite).hasCause(first);
        assertThat(composite.getSuppressed()).contains(second);
        assertThat(composite).hasMessageContaining("first").hasMessageContaining("second");
    }
}
