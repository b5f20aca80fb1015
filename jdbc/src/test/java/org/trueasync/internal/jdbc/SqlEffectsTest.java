package org.trueasync.internal.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("P33")
class SqlEffectsTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "select 1",
                "  SELECT * from t for update",
                "-- begin\nselect 1",
                "/* begin; set x */ insert into t values ('begin; set x = 1', \"set\")",
                "(select 1) union (select 2)",
                "with x as (delete from t returning *) select * from x",
                "create table temporary_things(id int)",
                "alter table t add column session int",
                "insert into t values ($$ ; set x = 1 $$)",
                "insert into t values ($a$ ; set x = 1 $$ ; begin $a$)",
                "update t set begin_at = 1; delete from t;",
                "rollback to savepoint one",
                "select 'it''s; set x'",
                "; ;",
                "select \"a;set b\" from t -- ;set c",
                "select '\\' ",
                "insert into temp values (1)",
                "insert into log values ('into temp')",
                "create table temperature(n int)",
                "rollback to s; release s",
                "create table t(temp int)",
                "rollback work to savepoint one",
                "insert into templates values (1)",
                "insert into temperature select 1",
                "insert into door_lock(id) values (1)",
                "select pg_advisory_xact_lock(1)",
                "select pg_try_advisory_xact_lock_shared(1)",
                "create or replace view templates as select 1",
                "create table locale(id int)",
                "create unique index x on t(set_at)",
                "lock table t in share mode",
            })
    void harmless(String sql) {
        assertThat(SqlEffects.of(sql)).isEqualTo(SqlEffects.NONE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "begin",
                "BEGIN ISOLATION LEVEL SERIALIZABLE",
                " ; /* x */ start transaction",
                "select 1; begin",
                "call p()",
                "{call p(?)}",
                "{? = call f(?)}",
                "set local search_path = x",
                "set transaction read only",
                "set Local x = 1",
                "execute x(1)",
            })
    void mayBegin(String sql) {
        assertThat(SqlEffects.of(sql)).isEqualTo(SqlEffects.MAY_BEGIN);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "commit",
                "ROLLBACK",
                "end",
                "abort",
                "begin; insert into t values (1); commit",
                "rollback work",
                "commit and no chain",
                "end transaction"
            })
    void ends(String sql) {
        assertThat(SqlEffects.of(sql)).isEqualTo(SqlEffects.ENDS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"commit and chain", "ROLLBACK WORK AND CHAIN"})
    void endsAndBegins(String sql) {
        assertThat(SqlEffects.of(sql)).isEqualTo(SqlEffects.ENDS | SqlEffects.MAY_BEGIN);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "set search_path = x",
                "SET SESSION AUTHORIZATION x",
                "reset all",
                "listen x",
                "use x",
                "pragma x",
                "declare c cursor with hold for select 1",
                "prepare x as select 1",
                "create temp table x(id int)",
                "create local temporary table x(id int)",
                "alter session set x = 1",
                "select get_lock('x', 1)",
                "select 1; set x = 1",
                "insert into t values ('it''s'); set x = 1",
                "frobnicate the session",
                "set transaction_timeout = '1s'",
                "set local_preload = x",
                "set constraints_off = 1",
                "create or replace temp view v as select 1",
                "create cached local temporary table x(id int)",
                "create table #x(id int)",
                "select 1 as x into #y",
                "select 1 as x into /* for now */ temp y",
                "lock tables t write",
                "execute immediate 'set x = 1'",
                "/*!40101 set names utf8 */",
                "/*M!100101 set names utf8 */",
                "select '\\''; set x = 1; --'",
                "select a$b$; set x = 1; select 1 as y$b$",
                "\u00A0set x = 1",
                "<<label>> declare x",
                "do $$ begin perform 1; end $$",
                "select 1 as x into temporary y",
                "\uFEFFset x = 1",
                "select ''';'; set a = 1",
                "select $$'$$; set a = 1",
                "select $tag$'$tag$; set a = 1",
                "select $1, '$'; set a = 1",
                "/* ; */ set a = 1",
                "select 1 /* ' */ ; set a = 1",
                "select 1 -- '\n ; set a = 1",
                // PostgreSQL ends the outer comment behind the inner one, and this quote behind the backslash
                "/* /* */ */ set a = 1",
                "select 1 /* /* */ */; set a = 1",
                "select E'\\''; set a = 1; select '",
                "select 'a\\'; set b = 1; --'",
                // MySQL executes these
                "/*!40101 set a = 1 */",
                "/*M! set a = 1 */",
                "create or replace temp view v as select 1",
                "create or replace temporary view v as select 1",
                "with x as (select 1 as n) select * into temp t from x",
                "select 1 as n\ninto\ttemp t",
                "@x := 1",
            })
    void touchesTheSession(String sql) {
        assertThat(SqlEffects.of(sql) & SqlEffects.TOUCHES_SESSION).isEqualTo(SqlEffects.TOUCHES_SESSION);
    }
}
