/** What builds on events and waits without knowing the kernel. */
@NullMarked
package org.trueasync.internal.event;

import org.jspecify.annotations.NullMarked;
