/**
 * What users do with a scope: wait for its coroutines, end it, lose its handle, and run an action for each item of a
 * source in a scope of its own ({@code Async.iterate}). The scopes themselves are in the kernel.
 */
@NullMarked
package org.trueasync.internal.scope;

import org.jspecify.annotations.NullMarked;
