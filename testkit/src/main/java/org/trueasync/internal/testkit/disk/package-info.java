/** The disk of a simulated host: in memory, with what a crash leaves of it. */
@NullMarked
package org.trueasync.internal.testkit.disk;

import org.jspecify.annotations.NullMarked;
