package org.trueasync.internal.blackbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.internal.recorder.TurnRing.CANCELLED;
import static org.trueasync.internal.recorder.TurnRing.END;
import static org.trueasync.internal.recorder.TurnRing.IDLE;
import static org.trueasync.internal.recorder.TurnRing.PARKED;
import static org.trueasync.internal.recorder.TurnRing.SPAWN;
import static org.trueasync.internal.recorder.TurnRing.TIME;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.recorder.TurnRing;
import org.trueasync.internal.recorder.WaitClass;

class RingReaderTest {
    private static final int CELLS = 256;

    private final TurnRing ring = new TurnRing(new long[CELLS]);
    private final List<String> told = new ArrayList<>();

    private List<String> read() {
        RingReader.read(ring, 0, new RingReader.Listener() {
            @Override
            public void spawned(long time, long id, long by, String label) {
                told.add(time + " spawn " + id + " by " + by + " " + label);
            }

            @Override
            public void runs(long time, long id) {
                told.add(time + " run " + id);
            }

            @Override
            public void leaves(long time, long id) {
                told.add(time + " leave " + id);
            }

            @Override
            public void parked(long id, int kind) {
                told.add("park " + id + " " + WaitKind.of(kind).text());
            }

            @Override
            public void woken(long time, long id, long by, int kind, String text) {
                told.add(time + " wake " + id + " by " + by + " " + text);
            }

            @Override
            public void ended(long time, long id, int how) {
                told.add(time + " end " + id + " " + how);
            }

            @Override
            public void slept(long from, long to) {
                told.add("sleep " + from + " to " + to);
            }
        });
        return told;
    }

    @Test
    void turnsBetweenTwoTimes_areSpreadEvenly() {
        ring.turn(9); // before the first time: when it was is not known
        ring.time(TIME, 100);
        ring.turn(1);
        ring.put(SPAWN, 0, 3);
        ring.text("Shop.java:7");
        ring.turn(2);
        ring.time(TIME, 300);
        ring.turn(1);
        ring.time(IDLE, 350);
        ring.time(TIME, 900);
        ring.woken(0, 2, 0);
        ring.text("timer 5 ms");
        ring.turn(2);
        ring.woken(0, 1, 0);
        ring.time(TIME, 950);
        assertThat(read())
                .containsExactly(
                        "100 run 1",
                        "100 spawn 3 by 1 Shop.java:7",
                        "200 leave 1",
                        "200 run 2",
                        "300 leave 2",
                        "300 run 1",
                        "350 leave 1",
                        "sleep 350 to 900",
                        "900 wake 2 by 0 timer 5 ms",
                        "900 run 2",
                        "900 wake 1 by 2 ");
    }

    @Test
    void ends_areToldWhenTheTurnIsOver() {
        ring.time(TIME, 0);
        ring.turn(1);
        ring.time(TIME, 10);
        ring.turnAfterEnd(2);
        ring.put(END, CANCELLED, 7); // of another one, which never ran
        ring.put(END, CANCELLED, 2);
        ring.time(TIME, 20);
        ring.put(END, TurnRing.COMPLETED, 0);
        ring.turn(3);
        ring.put(PARKED, WaitClass.of(ReentrantLock.class), 3);
        ring.time(TIME, 30);
        ring.turn(0);
        assertThat(read())
                .containsExactly(
                        "0 run 1",
                        "10 end 1 0",
                        "10 run 2",
                        "10 end 7 2",
                        "20 end 2 2",
                        "20 run 3",
                        "20 leave 3",
                        "park 3 JDK code, a lock");
    }

    @Test
    void fullRing_hasTheLastEntries() {
        for (int i = 0; i < 10 * CELLS; i++) {
            ring.turn(i + 1);
            ring.time(TIME, i + 1);
        }
        List<String> all = read();
        long first = (20 * CELLS - CELLS + 64) / 2 + 1;
        assertThat(all.getFirst()).isEqualTo(first + " run " + (first + 1));
        assertThat(all.getLast()).isEqualTo((10 * CELLS - 1) + " run " + 10 * CELLS);
    }

    @Test
    void textsThatAreGone_areEmpty() {
        ring.time(TIME, 1);
        ring.woken(0, 1, 0);
        ring.text("old");
        for (int i = 0; i < 1 << 12; i++) ring.text("later");
        assertThat(ring.text(0)).isEmpty();
        assertThat(ring.text(1)).isEqualTo("later");
    }

    @Test
    void longestTurn_isThatOfTheOthers_sinceTheWaitBegan() {
        ring.time(TIME, 0);
        ring.turn(1);
        ring.time(TIME, 90_000_000);
        ring.turn(2);
        ring.time(TIME, 95_000_000);
        ring.turn(3);
        ring.time(TIME, 97_000_000);
        ring.turn(4);
        assertThat(RingReader.longest(ring, 91_000_000)).isEqualTo(new RingReader.LongTurn(2, 5_000_000));
        assertThat(RingReader.longest(ring, 80_000_000)).isEqualTo(new RingReader.LongTurn(1, 90_000_000));
        assertThat(RingReader.longest(ring, 96_500_000)).isEqualTo(new RingReader.LongTurn(3, 2_000_000));
    }
}
