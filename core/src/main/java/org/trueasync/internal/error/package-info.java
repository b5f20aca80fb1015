/**
 * Calls of methods of errors, and how errors are put together, printed and thrown. An error may be the program's own
 * code; {@link org.trueasync.internal.error.Causes} keeps its methods from doing harm. The package depends on the JDK
 * alone. The texts of reports about failed coroutines are in {@code internal.failure}.
 */
@NullMarked
package org.trueasync.internal.error;

import org.jspecify.annotations.NullMarked;
