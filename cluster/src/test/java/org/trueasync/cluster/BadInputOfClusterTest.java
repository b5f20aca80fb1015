package org.trueasync.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.BadInput;

/** Whatever is no good is refused at once, by a message that names it; of what needs no member. */
class BadInputOfClusterTest {
    @Test
    void everySetting_refusesWhatIsNoGood() throws Exception {
        var check = new BadInput()
                .sample(ClusterConfig.Builder.class, ClusterConfig::builder)
                .sample(UUID.class, () -> new UUID(1, 1));
        List<String> complaints = check.check(List.of(ClusterConfig.class, ClusterConfig.Builder.class));
        assertThat(String.join("\n", complaints)).as("%s calls", check.calls()).isEmpty();
    }
}
