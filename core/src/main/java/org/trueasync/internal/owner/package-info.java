/** To which run, or which scope, something belongs that has no other business with the kernel. Depends on the JDK alone; the kernel tells it who runs here. */
@NullMarked
package org.trueasync.internal.owner;

import org.jspecify.annotations.NullMarked;
