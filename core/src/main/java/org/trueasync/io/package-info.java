/**
 * Input and output that suspends the calling coroutine only: {@link org.trueasync.io.TcpServer}, {@link org.trueasync.io.TcpStream}. Built
 * on the handles of {@link org.trueasync.spi.Reactor}; knows no native code. Nothing is null unless it says so.
 */
@NullMarked
package org.trueasync.io;

import org.jspecify.annotations.NullMarked;
