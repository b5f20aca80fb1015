package org.trueasync.internal.http.websocket;

import static org.junit.jupiter.api.Assertions.*;

import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class IncomingTest {
    @Test
    void manyTinyFragments_allocateInProportionToTheMessage() {
        int fragments = 16 * 1024;
        ByteBuffer wire = ByteBuffer.allocate(fragments * 22);
        for (int i = 0; i < fragments; i++) {
            wire.put((byte) ((i == 0 ? 2 : 0) | (i + 1 == fragments ? 0x80 : 0)));
            wire.put((byte) (0x80 | 16)).putInt(0).put(new byte[16]);
        }
        wire.flip();
        var frames = new FrameReader(
                into -> {
                    int count = Math.min(into.remaining(), wire.remaining());
                    into.put(wire.slice(wire.position(), count));
                    wire.position(wire.position() + count);
                    return count;
                },
                true);
        var incoming = new Incoming(1 << 20, null);
        var thread = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = thread.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < fragments; i++) {
            assertTrue(frames.next());
            incoming.frame(frames);
            while (frames.left() > 0) assertTrue(incoming.read(frames));
        }
        byte[] message = (byte[]) incoming.end();
        long allocated = thread.getCurrentThreadAllocatedBytes() - before;
        assertEquals(fragments * 16, message.length);
        assertTrue(allocated < 32L * message.length, () -> allocated + " bytes for " + message.length);
    }
}
