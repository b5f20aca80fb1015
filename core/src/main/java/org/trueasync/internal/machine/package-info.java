/** What the machine and the process say of themselves: processors, processor time, load. Knows no other package of ours. */
@NullMarked
package org.trueasync.internal.machine;

import org.jspecify.annotations.NullMarked;
