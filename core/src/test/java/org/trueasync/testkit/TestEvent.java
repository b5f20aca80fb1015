package org.trueasync.testkit;

import java.util.ArrayList;
import java.util.List;
import org.trueasync.spi.ActiveEvents;
import org.trueasync.spi.Event;
import org.trueasync.spi.EventCallback;
import org.trueasync.spi.SchedulerProvider;
import org.trueasync.spi.SourceEvent;

/** An event that the test fires, and that counts what is done to it. */
public class TestEvent extends SourceEvent {
    /** How often it was armed. */
    public int armed;

    /** How often it was disarmed. */
    public int disarmed;

    /** How often it was released. */
    public int released;

    /** What to do when it is armed. */
    public Runnable onArm = () -> {};

    private boolean stored;
    private Object result;
    private Throwable error;

    /** One that is counted in the running runtime. */
    public TestEvent() {
        this(SchedulerProvider.get().activeEvents());
    }

    /**
     * One that is counted there.
     *
     * @param activeEvents the count
     */
    public TestEvent(ActiveEvents activeEvents) {
        super(activeEvents);
    }

    @Override
    protected void armSource() {
        armed++;
        onArm.run();
    }

    @Override
    protected void disarmSource() {
        disarmed++;
    }

    @Override
    protected void release() {
        released++;
    }

    /**
     * Fires and stays open.
     *
     * @param value the result
     */
    public void fire(Object value) {
        notifyCallbacks(value, null);
    }

    /**
     * Fires with an error and stays open.
     *
     * @param thrown the error
     */
    public void fail(Throwable thrown) {
        notifyCallbacks(null, thrown);
    }

    /**
     * Closes, then fires; the value is kept for those who come later.
     *
     * @param value the result
     */
    public void finish(Object value) {
        stored = true;
        result = value;
        close();
        notifyCallbacks(value, null);
    }

    /** Closes without a word. */
    public void closeSilently() {
        close();
    }

    @Override
    public boolean replay(EventCallback callback) {
        if (!stored) return false;
        deliver(callback, result, error);
        return true;
    }

    @Override
    public String info() {
        return "test event";
    }

    /** Writes down what it hears. */
    public static class Heard extends EventCallback {
        /** Results and errors, in order. */
        public final List<Object> all = new ArrayList<>();

        private final Runnable then;

        /** Only listens. */
        public Heard() {
            this(() -> {});
        }

        /**
         * Listens and acts.
         *
         * @param then what to do each time
         */
        public Heard(Runnable then) {
            this.then = then;
        }

        @Override
        protected void onEvent(Event event, Object result, Throwable error) {
            all.add(error != null ? error : result);
            then.run();
        }
    }
}
