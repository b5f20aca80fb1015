/** What builds on events without knowing the kernel. */
@NullMarked
package org.trueasync.internal.event;

import org.jspecify.annotations.NullMarked;
