/**
 * Groups of tasks: what {@link org.trueasync.TaskGroup} and {@link org.trueasync.TaskSet} are thin handles of. The two share {@code GroupCore}, which admits, runs and
 * settles tasks; they differ in who gets the outcomes: {@code OutcomeQueries} answers any number of times, {@code Joins} hands each outcome out once.
 */
@NullMarked
package org.trueasync.internal.group;

import org.jspecify.annotations.NullMarked;
