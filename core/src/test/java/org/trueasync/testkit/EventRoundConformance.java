package org.trueasync.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.Async;
import org.trueasync.internal.event.EventCount;
import org.trueasync.spi.ResumeCallback;
import org.trueasync.spi.Waker;
import org.trueasync.testkit.TestEvent.Heard;

/** Lists of callbacks that change while they are told. */
public abstract class EventRoundConformance extends EventSuite {
    protected EventRoundConformance(ReactorKit kit) {
        super(kit);
    }

    @Test
    @Tag("E9")
    @Tag("F8")
    void callbackRemovesItself_othersAreCalledOnce() {
        var event = new TestEvent(new EventCount(() -> {}));
        var self = new Heard[1];
        self[0] = new Heard(() -> event.removeCallback(self[0]));
        var first = new Heard();
        var last = new Heard();
        for (Heard h : List.of(first, self[0], last)) event.addCallback(h);
        event.fire(1);
        event.fire(2);
        assertThat(first.all).containsExactly(1, 2);
        assertThat(self[0].all).containsExactly(1);
        assertThat(last.all).containsExactly(1, 2);
    }

    @Test
    @Tag("E9")
    @Tag("F8")
    void callbackRemovesNextAndEarlierAndLast_theyAreNotCalledAndTheRestIs() {
        var event = new TestEvent(new EventCount(() -> {}));
        var heard = new Heard[6];
        for (int i = 0; i < 6; i++) {
            int me = i;
            heard[i] = new Heard(() -> {
                if (me != 1) return;
                event.removeCallback(heard[0]);
                event.removeCallback(heard[2]);
                event.removeCallback(heard[5]);
            });
            event.addCallback(heard[i]);
        }
        event.fire("x");
        assertThat(heard).extracting(h -> h.all.size()).containsExactly(1, 1, 0, 1, 1, 0);
        event.fire("y");
        assertThat(heard).extracting(h -> h.all.size()).containsExactly(1, 2, 0, 2, 2, 0);
    }

    @Test
    @Tag("E9")
    @Tag("F8")
    void callbackAddsAnother_itIsCalledFromTheNextRoundOn() {
        var event = new TestEvent(new EventCount(() -> {}));
        var late = new Heard();
        event.addCallback(new Heard(() -> {
            if (!late.isSubscribed()) event.addCallback(late);
        }));
        event.fire(1);
        assertThat(late.all).isEmpty();
        event.fire(2);
        assertThat(late.all).containsExactly(2);
    }

    @Test
    @Tag("E9")
    @Tag("F8")
    void callbackRemovedAndAddedAgainInTheRound_notCalledTwice() {
        var event = new TestEvent(new EventCount(() -> {}));
        var moved = new Heard();
        var mover = new Heard(() -> {
            event.removeCallback(moved);
            event.addCallback(moved);
        });
        event.addCallback(moved);
        event.addCallback(mover);
        event.fire(1);
        assertThat(moved.all).containsExactly(1);
        assertThat(mover.all).containsExactly(1);
        event.fire(2);
        assertThat(moved.all).containsExactly(1);
        assertThat(mover.all).containsExactly(1, 2);
    }

    @Test
    @Tag("E9")
    @Tag("F8")
    void eventFiredInsideItsOwnRound_everybodyHearsBoth() {
        var event = new TestEvent(new EventCount(() -> {}));
        boolean[] nested = {false};
        var a = new Heard();
        var b = new Heard(() -> {
            if (nested[0]) return;
            nested[0] = true;
            event.fire("inner");
        });
        var c = new Heard();
        for (Heard h : List.of(a, b, c)) event.addCallback(h);
        event.fire("outer");
        assertThat(a.all).containsExactly("outer", "inner");
        assertThat(b.all).containsExactly("outer", "inner");
        assertThat(c.all).containsExactly("inner", "outer");
    }

    @Test
    @Tag("E9")
    @Tag("F8")
    void innerRoundRemovesCallbacks_outerRoundSkipsThemToo() {
        var event = new TestEvent(new EventCount(() -> {}));
        var c = new Heard();
        boolean[] nested = {false};
        var remover = new Heard(() -> event.removeCallback(c));
        var starter = new Heard(() -> {
            if (nested[0]) return;
            nested[0] = true;
            event.fire("inner");
        });
        event.addCallback(starter);
        event.addCallback(remover);
        event.addCallback(c);
        event.fire("outer");
        assertThat(c.all).isEmpty();
        assertThat(remover.all).containsExactly("inner", "outer");
    }

    @Test
    @Tag("E9")
    @Tag("F8")
    void eventDisposedInItsRound_theRestIsStillTold() {
        var event = new TestEvent(new EventCount(() -> {}));
        var last = new Heard();
        event.addCallback(new Heard(event::dispose));
        event.addCallback(last);
        event.start();
        event.fire("x");
        assertThat(last.all).containsExactly("x");
        assertThat(event.disarmed).isEqualTo(1);
    }

    @Test
    @Tag("E9")
    void callbackSubscribedTwice_refused() {
        var event = new TestEvent(new EventCount(() -> {}));
        var other = new TestEvent(new EventCount(() -> {}));
        var heard = new Heard();
        event.addCallback(heard);
        assertThatThrownBy(() -> other.addCallback(heard))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("test event");
        assertThat(other.removeCallback(heard)).isFalse();
        assertThat(event.removeCallback(heard)).isTrue();
        assertThat(event.removeCallback(heard)).isFalse();
    }

    @Test
    @Tag("E11")
    void oneWaiterWithSeveralCallbacks_removingOneLeavesTheOthers() {
        var event = new TestEvent(new EventCount(() -> {}));
        var one = new Heard();
        var two = new Heard();
        var three = new Heard();
        for (Heard h : List.of(one, two, three)) event.addCallback(h);
        event.removeCallback(two);
        event.fire("x");
        assertThat(one.all).containsExactly("x");
        assertThat(two.all).isEmpty();
        assertThat(three.all).containsExactly("x");
    }

    @Test
    @Tag("E11")
    void wakerSubscribedTwiceToOneEvent_wokenOnceAndNothingIsLeft() {
        run.run(() -> {
            var event = new TestEvent();
            Async.spawn(() -> event.fire("x"));
            Waker waker = Waker.current();
            waker.resumeWhen(event, ResumeCallback.RESOLVE);
            waker.resumeWhen(event, ResumeCallback.RESOLVE);
            assertThat(waker.await()).isEqualTo("x");
            assertThat(event.hasCallbacks()).isFalse();
            assertThat(event.isActive()).isFalse();
            assertThat(active()).isZero();
        });
    }
}
