/** Names and addresses: look-ups on helper threads, since the system's resolver blocks its thread. */
@NullMarked
package org.trueasync.internal.dns;

import org.jspecify.annotations.NullMarked;
