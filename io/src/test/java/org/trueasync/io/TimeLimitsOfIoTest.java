package org.trueasync.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.trueasync.internal.testkit.PublicTypes;
import org.trueasync.testkit.VirtualTime;

/** The settings of I/O that take a time follow the rule that {@code TimeLimitsTest} of core has for all others. */
class TimeLimitsOfIoTest {
    @FunctionalInterface
    interface Call {
        Object with(Duration time);
    }

    record Setting(String name, boolean zeroIsATime, Call call) {
        @Override
        public String toString() {
            return name;
        }
    }

    static List<Setting> all() {
        return List.of(
                new Setting("Exec.timeout", false, time -> Exec.of("true").timeout(time)),
                new Setting("Exec.grace", true, time -> Exec.of("true").grace(time)),
                new Setting("Builder.debounce", false, time -> FileSystemWatcher.builder(Path.of("."))
                        .debounce(time, time)),
                new Setting(
                        "Interval.every",
                        false,
                        time -> Objects.requireNonNull(VirtualTime.run(() -> Interval.every(time)))));
    }

    @ParameterizedTest
    @MethodSource("all")
    void negativeTime_isRefusedAndNamed(Setting setting) {
        for (Duration time : List.of(Duration.ofNanos(-1), Duration.ofMillis(-250), Duration.ofSeconds(Long.MIN_VALUE)))
            assertThatThrownBy(() -> setting.call().with(time))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageMatching(".* must be (>|>=) 0 ms, got -.*");
    }

    @ParameterizedTest
    @MethodSource("all")
    @SuppressWarnings("NullAway") // that is the point
    void nullTime_isRefusedByName(Setting setting) {
        assertThatThrownBy(() -> setting.call().with(null))
                .isInstanceOf(NullPointerException.class)
                .message()
                .matches("[a-zA-Z ]+");
    }

    @ParameterizedTest
    @MethodSource("all")
    void noTimeAtAll_isTakenOrRefused(Setting setting) {
        if (setting.zeroIsATime())
            assertThat(setting.call().with(Duration.ZERO)).isNotNull();
        else
            assertThatThrownBy(() -> setting.call().with(Duration.ZERO))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageMatching(".* must be > 0 ms, got 0");
    }

    @ParameterizedTest
    @MethodSource("all")
    void timeThatNoClockCanHold_isTaken(Setting setting) {
        for (Duration time : List.of(Duration.ofDays(400_000_000), Duration.ofSeconds(Long.MAX_VALUE)))
            assertThat(setting.call().with(time)).isNotNull();
    }

    /** A method that takes a time and is in no row above would go its own way. */
    @Test
    void everyMethodThatTakesATime_isInTheTable() throws Exception {
        Set<String> known = new TreeSet<>(all().stream().map(Setting::name).toList());
        // the period of SO_KEEPALIVE is in whole seconds, which the system has a range for
        known.add("TcpStream.keepAlive");
        known.add("ByteStream.relay"); // needs streams: RelayTest
        Set<String> found = new TreeSet<>();
        for (Class<?> type : PublicTypes.of(Exec.class, "org/trueasync/io"))
            for (Method method : type.getDeclaredMethods()) {
                boolean isCallable = Modifier.isPublic(method.getModifiers()) && !method.isSynthetic();
                if (isCallable && Arrays.asList(method.getParameterTypes()).contains(Duration.class))
                    found.add(type.getSimpleName() + "." + method.getName());
            }
        assertThat(found).isEqualTo(known);
    }
}
