/** Tests of the HTTP server and client, with peers of others and with raw bytes, on both reactors. */
@NullMarked
package org.trueasync.http;

import org.jspecify.annotations.NullMarked;
