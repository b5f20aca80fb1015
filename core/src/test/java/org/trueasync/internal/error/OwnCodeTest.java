package org.trueasync.internal.error;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trueasync.Async;
import org.trueasync.spi.Event;

@Tag("K20")
class OwnCodeTest {
    @Test
    void classesOfTheLibrary_areItsOwn() {
        assertThat(OwnCode.has(Async.class.getName())).isTrue();
        assertThat(OwnCode.has(Event.class.getName())).isTrue();
        assertThat(OwnCode.has(OwnCode.class.getName())).isTrue();
    }

    @Test
    void classesOfAProgramInPackagesOfOurs_areItsOwn() {
        assertThat(OwnCode.has(OwnCodeTest.class.getName())).isFalse();
    }

    @Test
    void classesThatCannotBeLoaded_areJudgedByTheirPackage() {
        assertThat(OwnCode.has("org.trueasync.internal.jdbc.Lease")).isTrue();
        assertThat(OwnCode.has("org.trueasync.jdbc.TestHarness")).isTrue();
        assertThat(OwnCode.has("org.trueasync.cluster.Cluster")).isTrue();
        assertThat(OwnCode.has("org.trueasync.reactor.other.Contest")).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "org.trueasync.examples.Chat",
                "org.trueasyncs.Async",
                "com.example.Latest",
                "Main",
                "org.trueasync"
            })
    void otherClasses_areThePrograms(String name) {
        assertThat(OwnCode.has(name)).isFalse();
    }
}
