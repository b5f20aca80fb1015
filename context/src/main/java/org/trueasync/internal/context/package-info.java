/** What {@code org.trueasync} finds in this module: a propagator of registered thread locals. */
@NullMarked
package org.trueasync.internal.context;

import org.jspecify.annotations.NullMarked;
