/** Figures of the machine and of the process: processors, processor time, load. Knows no other package of ours. */
@NullMarked
package org.trueasync.internal.machine;

import org.jspecify.annotations.NullMarked;
