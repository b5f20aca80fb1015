/**
 * What users do with a scope: wait for its coroutines, end it, lose its handle. The scopes themselves are in the
 * kernel.
 */
@NullMarked
package org.trueasync.internal.scope;

import org.jspecify.annotations.NullMarked;
