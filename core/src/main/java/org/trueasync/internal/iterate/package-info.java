/** Running an action for each item of a source, in as many coroutines as it takes: what {@code Async.iterate} is made of. */
@NullMarked
package org.trueasync.internal.iterate;

import org.jspecify.annotations.NullMarked;
