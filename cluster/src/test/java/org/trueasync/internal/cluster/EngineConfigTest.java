package org.trueasync.internal.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.config.Config;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trueasync.cluster.ClusterConfig;

/** What the engine is told. */
class EngineConfigTest {
    @ParameterizedTest
    @CsvSource({"2, 1, 5", "4, 1, 5", "16, 4, 8", "20, 5, 10", "600, 5, 10"})
    void memberThatWasGivenUp_isLookedForWithinSeconds(int silence, int heartbeat, int merge) {
        ClusterConfig settings = ClusterConfig.builder()
                .silence(Duration.ofSeconds(silence))
                .members("127.0.0.1")
                .build();
        var loader = EngineConfigTest.class.getClassLoader();
        var codec = new ObjectCodec(new AllowedClasses(List.of()), loader);
        Config config = EngineConfig.of(settings, List.of(), loader, new TaskHost(Runnable::run, codec, 1));
        assertThat(config.getProperty("hazelcast.max.no.heartbeat.seconds")).isEqualTo("" + silence);
        assertThat(config.getProperty("hazelcast.heartbeat.interval.seconds")).isEqualTo("" + heartbeat);
        assertThat(config.getProperty("hazelcast.merge.first.run.delay.seconds"))
                .isEqualTo("" + merge);
        assertThat(config.getProperty("hazelcast.merge.next.run.delay.seconds")).isEqualTo("" + merge);
        assertThat(config.getProperty("hazelcast.mastership.claim.timeout.seconds"))
                .isEqualTo("" + silence);
    }
}
