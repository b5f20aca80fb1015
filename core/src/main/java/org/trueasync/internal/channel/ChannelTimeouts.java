package org.trueasync.internal.channel;

import java.time.Duration;
import org.trueasync.CloseReason;
import org.trueasync.internal.kernel.StallActions;
import org.trueasync.internal.time.TimerEntry;
import org.trueasync.internal.time.TimerHeap;

/**
 * The time-outs of waits at a channel. Only one side waits at a time, except for a select on both sides, so there is
 * one timer. A hard time-out counts as active. A soft one does not, and closes its channel as soon as nothing else can
 * happen.
 */
public final class ChannelTimeouts extends TimerEntry implements WaitObserver {
    private final ChannelCore channel;
    private final long noProducerNanos;
    private final long noConsumerNanos;
    private final boolean hard;
    /** The reason with which the armed timer will close the channel. */
    private CloseReason expiry = CloseReason.NO_PRODUCERS;

    private int waitingSides;

    /** Also for a side without a limit: only a channel without any takes the ordinary way of a deadlock. */
    private final StallActions.Action lastResort = new StallActions.Action() {
        @Override
        protected void stalled() {
            channel.close(CloseReason.DEADLOCK, null);
        }
    };

    private ChannelTimeouts(ChannelCore channel, Duration noProducer, Duration noConsumer, boolean hard) {
        this.channel = channel;
        this.noProducerNanos = TimerHeap.nanos(noProducer);
        this.noConsumerNanos = TimerHeap.nanos(noConsumer);
        this.hard = hard;
    }

    /**
     * Limits the waits at a new channel.
     *
     * @param noProducer the limit for receivers, counted from the last progress; zero for none
     * @param noConsumer the limit for senders, counted from the last progress; zero for none
     * @param hard true if the full time always has to pass
     */
    public static void watch(ChannelCore channel, Duration noProducer, Duration noConsumer, boolean hard) {
        channel.observe(new ChannelTimeouts(channel, noProducer, noConsumer, hard));
    }

    @Override
    public void waitBegins(boolean senders) {
        boolean first = waitingSides++ == 0;
        if (!isArmed()) arm(senders); // else a select waits on both sides, and the other side has the limit
        if (first && !hard) channel.loop.stallActions().add(lastResort);
    }

    @Override
    public void waitEnds(boolean senders) {
        if (--waitingSides > 0) return;
        disarm();
        if (!hard) channel.loop.stallActions().remove(lastResort);
    }

    @Override
    public void progress() {
        if (!isArmed()) return;
        boolean senders = expiry == CloseReason.NO_CONSUMERS;
        disarm();
        arm(senders);
    }

    @Override
    public void closed() {}

    private void arm(boolean senders) {
        long nanos = senders ? noConsumerNanos : noProducerNanos;
        if (nanos == 0) return;
        expiry = senders ? CloseReason.NO_CONSUMERS : CloseReason.NO_PRODUCERS;
        channel.loop.timers().addIn(this, nanos);
        if (hard) channel.loop.activeEvents().increment();
    }

    private void disarm() {
        if (!isArmed()) return;
        channel.loop.timers().remove(this);
        if (hard) channel.loop.activeEvents().decrement();
    }

    @Override
    protected int readAhead() {
        return waitingSides;
    }

    @Override
    protected void fire(long now) {
        disarm();
        channel.close(expiry, null);
    }
}
