package org.trueasync.internal.blackbox;

import java.nio.ByteBuffer;
import java.util.List;
import org.trueasync.internal.recorder.TurnRing;
import org.trueasync.stress.fuzz.Inputs;

/** The entries of a ring, eight bytes each: sleeps are in the order of time, and turns of one coroutine alternate. */
public final class RingFuzz {
    private static final String TIME = "2000000000000064";
    public static final List<byte[]> SEEDS = List.of(
            Inputs.hex(TIME + "1000000000000007 2000000000000099 1001000000000008 5001000000000007 30000000000000aa"),
            Inputs.hex(TIME + "4000000000000007 8000000000000000 6003000000000007 7001000000000007 20000000000000bb"));

    private RingFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        var ring = new TurnRing(new long[256]);
        ByteBuffer cells = ByteBuffer.wrap(input);
        while (cells.remaining() >= 8) {
            long cell = cells.getLong();
            if (TurnRing.what(cell) == TurnRing.TEXT) ring.text("text");
            else if (TurnRing.what(cell) == TurnRing.TIME || TurnRing.what(cell) == TurnRing.IDLE)
                ring.time(TurnRing.what(cell), TurnRing.nanos(cell));
            else ring.put(TurnRing.what(cell), TurnRing.kind(cell), TurnRing.number(cell));
        }
        RingReader.read(ring, 0, new Turns());
        RingReader.longest(ring, 0);
        try {
            Limits.parse(Inputs.latin1(input));
        } catch (IllegalArgumentException malformed) {
            // as it should be
        }
    }

    private static final class Turns implements RingReader.Listener {
        private long running;

        @Override
        public void runs(long time, long id) {
            if (running != 0) throw new AssertionError(id + " runs, and " + running + " too");
            running = id;
        }

        @Override
        public void leaves(long time, long id) {
            if (running != id) throw new AssertionError(id + " leaves, and " + running + " runs");
            running = 0;
        }

        @Override
        public void ended(long time, long id, int how) {
            if (running == id) running = 0;
        }

        @Override
        public void spawned(long time, long id, long by, String label) {}

        @Override
        public void parked(long id, int kind) {}

        @Override
        public void woken(long time, long id, long by, int kind, String text) {}

        @Override
        public void slept(long from, long to) {}
    }
}
