package org.trueasync.spi;

import org.jspecify.annotations.Nullable;

/**
 * Sees what an event is about to deliver, before the event's callbacks do, and may change it. In this way a timeout
 * turns the firing of its timer into an error.
 *
 * <p>Called on the loop thread.
 */
@FunctionalInterface
public interface NotifyHook {
    /**
     * Changes or passes on a notification. The rules of {@link EventCallback#onEvent} apply.
     *
     * @param notification what the callbacks will get; its fields may be set
     */
    void beforeNotify(Notification notification);

    /** A result and an error on their way to the callbacks. */
    final class Notification {
        /** The value; null if there is none. */
        public @Nullable Object result;

        /** The error; null on success. */
        public @Nullable Throwable error;

        Notification(@Nullable Object result, @Nullable Throwable error) {
            this.result = result;
            this.error = error;
        }
    }
}
