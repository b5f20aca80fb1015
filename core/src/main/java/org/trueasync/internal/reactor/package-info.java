/** Finds the reactors that are installed. The reactors themselves are modules of their own. */
@NullMarked
package org.trueasync.internal.reactor;

import org.jspecify.annotations.NullMarked;
