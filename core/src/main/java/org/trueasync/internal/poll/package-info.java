/** Polling of descriptors: one watch of the reactor for each, shared by the proxies of all who wait for it. */
@NullMarked
package org.trueasync.internal.poll;

import org.jspecify.annotations.NullMarked;
