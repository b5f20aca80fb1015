/**
 * The reactor on libuv, through hand-written {@code java.lang.foreign} bindings. Only
 * {@link org.trueasync.reactor.libuv.LibuvProvider} is public; it is found by {@link java.util.ServiceLoader}. Except
 * for the benchmarks, no other module of the project calls native code. Nothing is null unless it says so.
 *
 * <p>From the bottom up: {@code UvLibrary} finds the library, {@code Uv} has its functions and {@code Libc} some of the
 * C library's, {@code NativeMemory} is native memory, {@code Upcalls} are the stubs that libuv calls and
 * {@code Callbacks} their targets; {@code UvReactor} is the loop, {@code UvStream}, {@code UvListener} and
 * {@code UvPoll} are among its handles.
 */
@NullMarked
package org.trueasync.reactor.libuv;

import org.jspecify.annotations.NullMarked;
