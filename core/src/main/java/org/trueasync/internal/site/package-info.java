/**
 * What reports call things by: places in the program's code, which are told from our own, and the names that users give. Depends on the JDK alone. Who
 * keeps such a place, and whether it is kept at all, is the business of those who report it.
 */
@NullMarked
package org.trueasync.internal.site;

import org.jspecify.annotations.NullMarked;
