/** Where core finds what watches its runs. */
@NullMarked
package org.trueasync.internal.diagnostics;

import org.jspecify.annotations.NullMarked;
