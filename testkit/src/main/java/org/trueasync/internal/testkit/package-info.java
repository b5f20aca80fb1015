/**
 * The reactor whose time is virtual, and what a seed decides for it. Core's own tests are compiled with it, and add
 * events and handles that a test fires by hand. Also the ports that the tests of all modules give to their servers.
 */
@NullMarked
package org.trueasync.internal.testkit;

import org.jspecify.annotations.NullMarked;
