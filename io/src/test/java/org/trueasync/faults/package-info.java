/** Each call of the system fails once: what the reactors' tests of that share. */
package org.trueasync.faults;
