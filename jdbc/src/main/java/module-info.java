/** Database connections for coroutines: a pool of them behind JDBC's own interfaces. */
module org.trueasync.jdbc {
    requires transitive java.sql;
    requires static transitive org.jspecify;
    requires transitive org.trueasync;

    exports org.trueasync.jdbc;

    uses java.sql.Driver;
}
