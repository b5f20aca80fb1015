package org.trueasync.internal.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How many tasks find a place in a group. */
class GroupSettingsTest {
    private static final int MANY = 2_000_000_000;

    private static int places(int concurrency, int queueLimit) {
        return GroupSettings.of("TaskGroup", null, concurrency, queueLimit).places();
    }

    @Test
    @Tag("G3")
    void places_areThoseThatRunAndTwiceAsManyThatWait() {
        assertThat(places(3, GroupSettings.DEFAULT_QUEUE)).isEqualTo(9);
        assertThat(places(3, 2)).isEqualTo(5);
    }

    @Test
    @Tag("G3")
    void zero_isNoLimit() {
        assertThat(places(3, 0)).isEqualTo(Integer.MAX_VALUE);
        assertThat(places(0, GroupSettings.DEFAULT_QUEUE)).isEqualTo(Integer.MAX_VALUE);
        assertThat(places(0, 2)).isEqualTo(Integer.MAX_VALUE);
    }

    @Test
    @Tag("G3")
    void limitsBeyondAnInt_areNone() {
        assertThat(places(MANY, GroupSettings.DEFAULT_QUEUE)).isEqualTo(Integer.MAX_VALUE);
        assertThat(places(MANY, MANY)).isEqualTo(Integer.MAX_VALUE);
        assertThat(places(MANY, 1)).isEqualTo(MANY + 1);
    }

    @Test
    @Tag("G1")
    void negativeLimits_areRefusedAndZeroIsNot() {
        assertThatThrownBy(() -> GroupSettings.requireConcurrency(-1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> GroupSettings.requireQueueLimit(-1)).isInstanceOf(IllegalArgumentException.class);
        assertThatCode(() -> GroupSettings.requireConcurrency(0)).doesNotThrowAnyException();
        assertThatCode(() -> GroupSettings.requireQueueLimit(0)).doesNotThrowAnyException();
    }
}
