/**
 * What a runtime is given to run, and how: tasks and the kinds of coroutines that run them, the settings of the
 * runtime, a thread of its own where the caller's will not do, the drain (what is under way may finish before a
 * shutdown cancels the coroutines), and what ends with its scope.
 */
@NullMarked
package org.trueasync.internal.task;

import org.jspecify.annotations.NullMarked;
