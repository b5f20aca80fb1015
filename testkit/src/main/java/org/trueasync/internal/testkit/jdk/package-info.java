/**
 * The JDK's clocks, waits and chance in virtual time, by an agent that changes classes of {@code java.base} and of the
 * program.
 */
@NullMarked
package org.trueasync.internal.testkit.jdk;

import org.jspecify.annotations.NullMarked;
