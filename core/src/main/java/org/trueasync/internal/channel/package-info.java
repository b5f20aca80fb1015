/**
 * Channels: values handed from coroutine to coroutine, with or without a buffer, with reservations for whoever has been woken; their bridges, and
 * the choice between several operations.
 */
@NullMarked
package org.trueasync.internal.channel;

import org.jspecify.annotations.NullMarked;
