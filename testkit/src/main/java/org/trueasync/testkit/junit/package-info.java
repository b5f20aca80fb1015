/** The test kit as annotations of JUnit 5 and 6. */
@NullMarked
package org.trueasync.testkit.junit;

import org.jspecify.annotations.NullMarked;
