package org.trueasync.bench.cluster;

import java.io.File;
import java.io.IOException;
import java.util.List;
import org.trueasync.bench.ChildJvm;
import org.trueasync.bench.FreePort;
import org.trueasync.bench.JvmFlags;
import org.trueasync.bench.Peer;
import org.trueasync.bench.RunningPeer;

/** Two members in two processes. One of them makes a pass when it is told to. */
record MemberPair(ChildJvm probe, ChildJvm partner) implements RunningPeer {

    static MemberPair start(File log, Peer peer) throws IOException {
        int port = FreePort.find();
        List<String> flags = JvmFlags.database(peer);
        ChildJvm probe = ChildJvm.start(log, flags, ClusterProbe.class, peer, port);
        ChildJvm partner = null;
        try {
            probe.expect("JOINED");
            partner = ChildJvm.start(log, flags, Partner.class, peer, port);
            partner.expect("PARTNER");
            return new MemberPair(probe, partner);
        } catch (RuntimeException e) {
            if (partner != null) partner.close();
            probe.close();
            throw e;
        }
    }

    @Override
    public String[] pass() {
        probe.send("PASS");
        return probe.expect("CLUSTER");
    }

    @Override
    public void close() {
        partner.close();
        probe.close();
    }
}
