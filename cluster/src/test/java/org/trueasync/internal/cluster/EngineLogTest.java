package org.trueasync.internal.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

/** What the engine may say. */
class EngineLogTest {
    @Test
    void memberThatIsLookedForInVain_isNoWarning_butItsLossIs() throws Exception {
        String connections = "com.hazelcast.internal.server.tcp.TcpServerConnectionErrorHandler";
        Class.forName(connections); // a newer engine may have renamed it
        EngineLog.quieten();
        assertThat(Logger.getLogger(connections).isLoggable(Level.WARNING)).isFalse();
        Logger losses = Logger.getLogger("com.hazelcast.internal.cluster.impl.MembershipManager");
        assertThat(losses.isLoggable(Level.WARNING)).isTrue();
        assertThat(losses.isLoggable(Level.INFO)).isFalse();
    }
}
