/**
 * Input and output that suspends only the calling coroutine. Streams, with the common interface
 * {@link org.trueasync.io.ByteStream}: {@link org.trueasync.io.TcpStream}, {@link org.trueasync.io.TlsStream},
 * {@link org.trueasync.io.Pipe}, {@link org.trueasync.io.Tty}, {@link org.trueasync.io.AsyncFile}; servers:
 * {@link org.trueasync.io.TcpServer}, {@link org.trueasync.io.PipeServer}; datagrams:
 * {@link org.trueasync.io.UdpSocket}; commands and children: {@link org.trueasync.io.Exec},
 * {@link org.trueasync.io.ChildProcess}; and {@link org.trueasync.io.Dns}, {@link org.trueasync.io.Signals},
 * {@link org.trueasync.io.FileSystemWatcher}, {@link org.trueasync.io.Interval}. Built on the handles of
 * {@link org.trueasync.spi.Reactor}; without native code. Nothing is null unless it says so.
 *
 * <p>Threads: as in {@link org.trueasync}; each type says its rule.
 */
@NullMarked
package org.trueasync.io;

import org.jspecify.annotations.NullMarked;
