package org.trueasync.jdbc;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.trueasync.internal.testkit.Depth;
import org.trueasync.internal.testkit.PublicTypes;
import org.trueasync.internal.testkit.TestRuntime;
import org.trueasync.internal.testkit.WaitCase.SetUp;
import org.trueasync.internal.testkit.WaitEndings;
import org.trueasync.internal.testkit.WaitTable;
import org.trueasync.internal.testkit.WaitingMethods;

/**
 * Every wait of every public operation of this module, ended in every way, and of every method of JDBC's interfaces:
 * their classes are made when they are needed, so what waits there is tried out. In virtual time.
 */
@Tag("sized")
class EveryWaitOfJdbcTest {
    private static final Map<String, SetUp> TABLE = new DatabaseWaits().rows();
    private static final Map<String, SetUp> OF_DRIVER = new DriverWaits().rows();

    static {
        TABLE.putAll(new CleaningWaits().rows());
        TABLE.putAll(OF_DRIVER);
    }

    /** What may wait as far as the code shows, and why it has no row. */
    private static final Map<String, String> WITHOUT_ROWS = Map.ofEntries(
            entry("PooledDataSource.Builder.build()", "makes the first connections, as getConnection does"),
            entry("PooledDataSource.close()", "throws no cancellation: it cleans up"),
            entry("PooledDataSource.inTransaction()", "asks the driver, which answers without its server"));

    /** Rows that have found something, in every build. */
    private static final Set<String> FOUND = Set.of(
            "Connection.setShardingKey(ShardingKey)",
            "PreparedStatement.close(), in clearBatch",
            "Connection.close(), in clearBatch, of a silent server",
            "Connection.getCatalog(), of a silent server");

    static Stream<String> methods() {
        return Stream.concat(WaitTable.sample(TABLE.keySet(), Depth.of(30, 1)), FOUND.stream())
                .distinct();
    }

    private static SetUp setUp(String method) {
        return Objects.requireNonNull(TABLE.get(method));
    }

    @ParameterizedTest
    @MethodSource("methods")
    void wait_endsInEveryWay(String method) {
        assertThat(WaitEndings.check(setUp(method), new TestRuntime())).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("methods")
    void wait_goesOnInADrainAndEndsAfterIt(String method) throws Throwable {
        assertThat(WaitEndings.checkShutdown(setUp(method), new TestRuntime())).isEmpty();
    }

    @Test
    void everyMethodThatWaits_isInTheTable() throws Exception {
        var code = new WaitingMethods(PooledDataSource.class);
        Set<String> found = code.among(PublicTypes.of(PooledDataSource.class, "org/trueasync/jdbc"));
        found.removeAll(TABLE.keySet());
        assertThat(found).isEqualTo(WITHOUT_ROWS.keySet());
        assertThat(code.behindTheJdksTypes(PooledDataSource.class)).containsExactly("PooledDataSource.close");
    }

    @Test
    void everyMethodOfJdbc_comesToTheDriverAsItsRowSays() {
        new TestRuntime().start(() -> {
            for (boolean shared : new boolean[] {false, true}) {
                Set<String> rows = OF_DRIVER.keySet().stream()
                        .filter(row -> row.endsWith(", shared") == shared && !row.contains(", of a"))
                        .map(row -> row.replace(", shared", ""))
                        .collect(Collectors.toSet());
                assertThat(rows).hasSizeGreaterThan(300);
                assertThat(DriverWaits.reached(shared, false)).containsAll(rows);
                if (shared) continue;
                Set<String> cancelled = DriverWaits.reached(false, true);
                assertThat(rows).allMatch(row -> cancelled.contains(row) == DriverWaits.isShielded(row));
            }
        });
    }

    @Test
    void everyMethodWithoutARow_hasAReasonThatHolds() {
        assertThat(DriverWaits.stale()).isEmpty();
    }
}
