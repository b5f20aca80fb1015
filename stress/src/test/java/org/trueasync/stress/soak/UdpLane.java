package org.trueasync.stress.soak;

import java.nio.ByteBuffer;
import org.trueasync.Async;
import org.trueasync.Coroutine;
import org.trueasync.OperationCanceledException;
import org.trueasync.io.UdpSocket;

/** Datagrams, thirty-two at a time. The network may drop one; it doubles none, and gives it back as it was sent. */
final class UdpLane implements Lane {
    private static final int AT_A_TIME = 32;

    private long last = -1;

    @Override
    public void run(Soak soak, Tally tally) {
        try (var from = UdpSocket.bind("127.0.0.1", 0);
                var to = UdpSocket.bind("127.0.0.1", 0)) {
            var datagram = ByteBuffer.allocate(2 * Long.BYTES);
            for (long number = 0; !soak.isOver(); number += AT_A_TIME) {
                long end = number + AT_A_TIME;
                Coroutine<?> receiver = Async.spawn(() -> receive(soak, to, end, tally));
                for (long each = number; each < end; each++) {
                    datagram.clear().putLong(each).putLong(~each).flip();
                    boolean isLast = each == end - 1;
                    if (!isLast && soak.isFault()) {
                        tally.faults++;
                        soak.cut(() -> from.send(datagram, to.localAddress()));
                    } else from.send(datagram, to.localAddress());
                }
                receiver.await();
            }
        }
    }

    private void receive(Soak soak, UdpSocket socket, long end, Tally tally) {
        var into = ByteBuffer.allocate(64);
        long before = last;
        long got = 0;
        while (last < end - 1) {
            into.clear();
            if (soak.isFault()) soak.cut(() -> socket.receive(into));
            if (into.position() == 0) {
                try {
                    socket.receive(into, Async.timeout(20_000)); // others may hold the loop
                } catch (OperationCanceledException late) {
                    last = end - 1;
                    break;
                }
            }
            long number = into.flip().getLong();
            if (number != ~into.getLong() || into.hasRemaining()) throw new AssertionError("another datagram");
            if (number <= last) throw new AssertionError(number + " has come twice, or late");
            last = number;
            got++;
        }
        tally.messages += got;
        tally.dropped += last - before - got;
    }
}
