package org.trueasync.internal.kernel;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.trueasync.Context;
import org.trueasync.internal.error.Names;
import org.trueasync.internal.event.Holder;
import org.trueasync.internal.jdk.Inheritance;
import org.trueasync.internal.recorder.Account;

/** Fields that few coroutines need, kept apart so that a million others do not carry them. */
final class CoroutineExtras {
    /** See {@link CoroutineImpl#cancellationOrNull}. */
    @Nullable
    Cancellation cancellation;

    @Nullable
    SwitchHandlerList switchHandlers;

    @Nullable
    List<Consumer<?>> finallyHandlers;

    /** See {@link Names#readable}. */
    @Nullable
    String name;

    @Nullable
    String spawnLocation;

    @Nullable
    Context context;

    /** What its spawner's thread has handed down; null once it has begun. */
    @Nullable
    Inheritance inheritance;

    /** See {@link CoroutineImpl#asHolder}. */
    @Nullable
    Holder holder;

    @Nullable
    ExitActionList exitActions;

    /** Its exit actions have run, so no other one can be added. */
    boolean exited;

    @Nullable
    ErrorCustody custody;

    /** Errors that the closing of scopes has thrown in it, see {@link CoroutineImpl#thrownByClose}. */
    @Nullable
    List<Throwable> closeErrors;

    /** Its waits for scopes that were given up and may hold errors, see {@link ScopeListeners#giveUp}. */
    @Nullable
    Set<ScopeListeners.GivenUp> givenUp;

    @Nullable
    Account account;

    /** Thrown by switch handlers, to be thrown at the next wait. */
    @Nullable
    Throwable handlerError;

    void addFinally(Consumer<?> handler) {
        if (finallyHandlers == null) finallyHandlers = new ArrayList<>(2);
        finallyHandlers.add(handler);
    }
}
