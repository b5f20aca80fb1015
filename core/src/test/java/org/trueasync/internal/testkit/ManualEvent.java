package org.trueasync.internal.testkit;

import org.jspecify.annotations.Nullable;
import org.trueasync.spi.Event;

/** An event that a test fires by hand, and that counts how often it was armed. Not counted as able to wake anyone. */
public final class ManualEvent extends Event {
    private final String name;
    private @Nullable Runnable whenArmed;
    private int armed;
    private int disarmed;

    /**
     * An event.
     *
     * @param name for its info
     */
    public ManualEvent(String name) {
        this.name = name;
    }

    /**
     * Something to do when it is armed: to fire at once, for instance.
     *
     * @param action called by each arming
     */
    public ManualEvent whenArmed(Runnable action) {
        whenArmed = action;
        return this;
    }

    @Override
    protected void arm() {
        armed++;
        if (whenArmed != null) whenArmed.run();
    }

    @Override
    protected void disarm() {
        disarmed++;
    }

    /**
     * Fires with a value; stays open.
     *
     * @param value the value
     */
    public void fire(@Nullable Object value) {
        notifyCallbacks(value, null);
    }

    /**
     * Fires with an error; stays open.
     *
     * @param error the error
     */
    public void fail(Throwable error) {
        notifyCallbacks(null, error);
    }

    /** Closes it without firing. */
    public void end() {
        close();
    }

    /** How often it was armed. */
    public int armed() {
        return armed;
    }

    /** How often it was disarmed. */
    public int disarmed() {
        return disarmed;
    }

    @Override
    public String info() {
        return "manual event '" + name + "'";
    }
}
