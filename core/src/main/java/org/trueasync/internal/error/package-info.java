/**
 * What errors and reports are made of. Calls of methods of errors: an error may be the program's own code, and
 * {@link org.trueasync.internal.error.Causes} keeps its methods from doing harm. How errors are put together, printed
 * and thrown. How reports name things: by places in the program's code, as opposed to ours, and by the names that users
 * give; the callers decide whether such a place is kept, and where. The package depends on the JDK alone. The texts of
 * reports about failed coroutines are in {@code internal.failure}.
 */
@NullMarked
package org.trueasync.internal.error;

import org.jspecify.annotations.NullMarked;
