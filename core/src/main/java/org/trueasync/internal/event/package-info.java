/** Classes that use events and waits and do not depend on the kernel. */
@NullMarked
package org.trueasync.internal.event;

import org.jspecify.annotations.NullMarked;
