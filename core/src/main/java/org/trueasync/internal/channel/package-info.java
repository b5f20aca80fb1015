/**
 * Channels: values are handed from coroutine to coroutine, with or without a buffer, and are reserved for the coroutine
 * that was woken. Also their bridges to publishers, and the choice between several operations.
 */
@NullMarked
package org.trueasync.internal.channel;

import org.jspecify.annotations.NullMarked;
