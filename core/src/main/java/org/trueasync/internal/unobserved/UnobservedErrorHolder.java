package org.trueasync.internal.unobserved;

/** Holds errors of coroutines until somebody asks for them, as a task group does. */
public interface UnobservedErrorHolder {
    /**
     * Hands the errors to their scope. Called when the run ends and nobody will ask any more. May only queue things.
     * Must not throw.
     */
    void reportErrors();
}
