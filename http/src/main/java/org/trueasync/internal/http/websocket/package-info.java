/** The WebSocket protocol (RFC 6455, and RFC 7692 for compression) over any stream of bytes, for either side. */
@NullMarked
package org.trueasync.internal.http.websocket;

import org.jspecify.annotations.NullMarked;
