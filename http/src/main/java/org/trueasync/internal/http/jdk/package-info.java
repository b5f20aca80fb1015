/**
 * The server behind the JDK's own API, {@code com.sun.net.httpserver}: programs written for that run on the loop. Its
 * objects may be used on any thread; what concerns the connection is done on the loop, see {@link
 * org.trueasync.internal.http.jdk.LoopCall}.
 */
@NullMarked
package org.trueasync.internal.http.jdk;

import org.jspecify.annotations.NullMarked;
