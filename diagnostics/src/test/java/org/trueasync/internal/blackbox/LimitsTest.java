package org.trueasync.internal.blackbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LimitsTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final AtomicLong now = new AtomicLong(100 * SECOND);
    private final List<String> written = new ArrayList<>();

    private Limits limits(String given) {
        return new Limits(
                Limits.parse(given),
                now::get,
                new AtomicLong(now.get() - 60 * SECOND),
                (reason, last) -> written.add((last ? "last, " : "") + reason));
    }

    @Test
    void whateverIsPassed_writesOnceAMinute() {
        Limits limits = limits("held=100ms,error");
        limits.happened("held", 150_000_000, "A.java:1");
        now.addAndGet(59 * SECOND);
        limits.happened("error", 0, "too early");
        limits.happened("held", SECOND, "too early");
        now.addAndGet(SECOND);
        limits.happened("error", 0, "unhandled");
        assertThat(written).containsExactly("held: A.java:1", "error: unhandled");
    }

    @Test
    void whatIsBelowTheLimit_orNotAskedFor_writesNothing() {
        Limits limits = limits("held=2s");
        limits.happened("held", SECOND, "A.java:1");
        limits.happened("error", 0, "unhandled");
        limits.ended("main");
        assertThat(limits.of("pool")).isEqualTo(Long.MAX_VALUE);
        assertThat(written).isEmpty();
    }

    @Test
    void theEnd_isWrittenAlways() {
        Limits limits = limits("end,drain");
        limits.happened("drain", 0, "work was under way");
        limits.ended("main");
        assertThat(written).containsExactly("drain: work was under way", "last, end of runtime 'main'");
    }

    @Test
    void limits_areWordsWithTimes() {
        assertThat(Limits.parse(" request=500ms, pool=1s,stuck"))
                .isEqualTo(Map.of("request", 500_000_000L, "pool", SECOND, "stuck", 0L));
        assertThat(Limits.parse("")).isEmpty();
        for (String wrong : List.of("pool", "pool=1", "pool=0s", "pool=-1s", "pool=1m", "held=xs"))
            assertThatThrownBy(() -> Limits.parse(wrong)).hasMessageContaining("got '" + wrong + "'");
    }
}
