package org.trueasync.internal.unobserved;

/** Holds errors of coroutines until somebody asks for them, as a task group does. */
public interface UnobservedErrorHolder {
    /** Called when the run ends and nobody will ask any more: hands the errors to their scope. May only queue things. Must not throw. */
    void reportErrors();
}
