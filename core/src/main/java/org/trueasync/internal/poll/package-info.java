/** Polling of descriptors: one watch of the reactor for each descriptor, shared by the proxies of all its waiters. */
@NullMarked
package org.trueasync.internal.poll;

import org.jspecify.annotations.NullMarked;
