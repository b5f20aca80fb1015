package org.trueasync.spi;

import org.trueasync.Coroutine;

/**
 * Called when control enters and leaves one particular coroutine: keeps what looks global private to it. Three calls are made: ENTER (the
 * coroutine got control), LEAVE (it was suspended), FINISH (it ended).
 *
 * <p>Called on the loop thread.
 */
@FunctionalInterface
public interface SwitchHandler {
    /**
     * Called on the loop thread, as if by the coroutine itself. It must not suspend. What it throws becomes an error of the coroutine.
     *
     * @param coroutine the coroutine that it was added to
     * @param entering true on ENTER, false on LEAVE and FINISH
     * @param finishing true on FINISH alone
     * @return true to be called again, false to be removed
     */
    boolean onSwitch(Coroutine<?> coroutine, boolean entering, boolean finishing);
}
