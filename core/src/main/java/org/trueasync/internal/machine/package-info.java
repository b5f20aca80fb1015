/** What the machine and the process say of themselves: processors, processor time, load. Knows no other room. */
@NullMarked
package org.trueasync.internal.machine;

import org.jspecify.annotations.NullMarked;
