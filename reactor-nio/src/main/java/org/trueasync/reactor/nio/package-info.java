/**
 * The reactor on {@code java.nio} and the rest of the JDK, without native code. Only
 * {@link org.trueasync.reactor.nio.NioProvider} is public; it is found by {@link java.util.ServiceLoader}. Nothing is
 * null unless it says so.
 *
 * <p>{@code NioReactor} is the loop. What a {@link java.nio.channels.Selector} can wait for is a
 * {@code SelectedHandle}: {@code NioStream}, {@code NioListener}, {@code NioUdp}. For the rest the JDK has only calls
 * that block (pipes of children, terminals, watched folders). Daemon threads make these calls and pass the results to
 * the loop by {@code NioReactor.post}.
 */
@NullMarked
package org.trueasync.reactor.nio;

import org.jspecify.annotations.NullMarked;
