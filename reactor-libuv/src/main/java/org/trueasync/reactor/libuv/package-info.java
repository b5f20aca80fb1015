/**
 * The reactor on libuv, through hand-written {@code java.lang.foreign} bindings. Only {@link
 * org.trueasync.reactor.libuv.LibuvProvider} is public; it is found by {@link java.util.ServiceLoader}. No other module of the project
 * touches native code. Nothing is null unless it says so.
 *
 * <p>From the bottom up: {@code UvLibrary} finds the library, {@code Uv} and {@code Libc} are its functions, {@code NativeMemory} its
 * memory, {@code Upcalls} its way back into Java and {@code Callbacks} what arrives there; {@code UvReactor} is the loop, {@code UvStream},
 * {@code UvListener} and {@code UvPoll} are its handles.
 */
@NullMarked
package org.trueasync.reactor.libuv;

import org.jspecify.annotations.NullMarked;
