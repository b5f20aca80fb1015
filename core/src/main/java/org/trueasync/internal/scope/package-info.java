/** What users do with a scope: waiting for its coroutines, ending it, losing its handle. The scopes themselves are the kernel's. */
@NullMarked
package org.trueasync.internal.scope;

import org.jspecify.annotations.NullMarked;
