package org.trueasync.spi;

import org.trueasync.Coroutine;

/**
 * Called when control enters and leaves one particular coroutine, for instance to swap state that is global to other
 * code but private to the coroutine. There are three kinds of calls: ENTER (the coroutine gets control), LEAVE (it is
 * suspended), FINISH (it has ended).
 *
 * <p>Called on the loop thread.
 */
@FunctionalInterface
public interface SwitchHandler {
    /**
     * Called on the loop thread, as if by the coroutine itself. It must not suspend. If it throws, that becomes an
     * error of the coroutine.
     *
     * @param coroutine the coroutine that the handler was added to
     * @param entering true on ENTER, false on LEAVE and FINISH
     * @param finishing true on FINISH alone
     * @return true to be called again, false to be removed
     */
    boolean onSwitch(Coroutine<?> coroutine, boolean entering, boolean finishing);
}
