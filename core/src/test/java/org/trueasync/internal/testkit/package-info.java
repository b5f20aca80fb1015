/** What tests are built with: a reactor whose time is virtual, a runtime on it, and events that a test fires by hand. */
@NullMarked
package org.trueasync.internal.testkit;

import org.jspecify.annotations.NullMarked;
