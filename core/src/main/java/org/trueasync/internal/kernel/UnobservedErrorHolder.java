package org.trueasync.internal.kernel;

/** Somebody who keeps the errors of coroutines for whoever asks for them, as a task group does. */
public interface UnobservedErrorHolder {
    /** The run ends, nobody will ask any more: hands the errors to the scope that they belong to. Queues things only. Does not throw. */
    void reportErrors();
}
