package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.coroutineContext;
import static org.trueasync.Async.currentContext;
import static org.trueasync.Async.requestContext;
import static org.trueasync.Async.rootContext;
import static org.trueasync.Async.spawn;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.TestRuntime;

class ContextTest {
    private static final ContextKey<Integer> DEPTH = ContextKey.named("depth");

    @Test
    @Tag("X1")
    void scopesContext_isSharedAndCoroutinesIsItsOwn() {
        TestRuntime.run(() -> {
            var scope = new Scope();
            Coroutine<Context> one = scope.spawn(() -> {
                coroutineContext().set("mine", 1);
                assertThat(coroutineContext()).isSameAs(Async.currentCoroutine().context());
                Coroutine<Boolean> child = spawn(() -> coroutineContext().has("mine"));
                assertThat(await(child)).as("never inherited").isFalse();
                return currentContext();
            });
            Coroutine<Context> two = scope.spawn(Async::currentContext);
            assertThat(await(one)).isSameAs(await(two)).isSameAs(scope.context());
            scope.dispose();
        });
    }

    @Test
    @Tag("X1")
    void keys_areStringsByValueAndPlainObjectsByIdentity() {
        TestRuntime.run(() -> {
            Context context = new Context(null);
            var first = new Object();
            var second = new Object();
            context.set("name", 1).set(first, 2).set(String.class, 3).set(DEPTH, 4);
            assertThat(context.<Integer>find(new String("name"))).isEqualTo(1);
            assertThat(context.<Integer>find(first)).isEqualTo(2);
            assertThat(context.<Object>find(second)).isNull();
            assertThat(context.<Integer>get(String.class)).isEqualTo(3);
            int typed = context.get(DEPTH);
            assertThat(typed).isEqualTo(4);
            assertThat(context.has(ContextKey.named("depth")))
                    .as("another key of that name")
                    .isFalse();
        });
    }

    @Test
    @Tag("X2")
    @Tag("F66")
    void lookUp_goesUpwardsThroughScopesWithoutValuesAndEndsAtOneWithoutAParent() {
        TestRuntime.run(() -> {
            rootContext().set("root", "r");
            Scope top = Scope.inherit();
            top.context().set("top", "t");
            Scope empty = Scope.inherit(top);
            Scope below = Scope.inherit(empty);
            await(below.spawn(() -> {
                coroutineContext().set("own", "o");
                Context here = coroutineContext();
                assertThat(here.<String>find("own")).isEqualTo("o");
                assertThat(here.<String>find("top")).isEqualTo("t");
                assertThat(here.<String>get("root")).isEqualTo("r");
                assertThat(here.has("top")).isTrue();
                assertThat(currentContext().has("own")).isFalse();
                assertThat(currentContext().hasLocal("top")).isFalse();
                assertThat(currentContext().<String>findLocal("top")).isNull();
                assertThatThrownBy(() -> currentContext().getLocal("top")).isInstanceOf(ContextException.class);
                assertThat(here.<String>find("nowhere")).isNull();
            }));
            var free = new Scope();
            await(free.spawn(() -> assertThat(coroutineContext().has("root")).isFalse()));
            free.dispose();
            top.dispose();
        });
    }

    @Test
    @Tag("X2")
    void missingKey_isNamed() {
        var context = new Context(null);
        assertThatThrownBy(() -> context.get("user"))
                .isInstanceOf(ContextException.class)
                .hasMessageContaining("'user'");
        assertThatThrownBy(() -> context.get(new StringBuilder("secret")))
                .isInstanceOf(ContextException.class)
                .hasMessageContaining("java.lang.StringBuilder")
                .hasMessageNotContaining("secret");
        assertThatThrownBy(() -> context.get(DEPTH)).hasMessageContaining("depth");
    }

    @Test
    @Tag("X3")
    void set_refusesALocalKeyAndHidesAnInheritedOne() {
        var parent = new Context(null).set("key", "above");
        var context = new Context(parent);
        assertThat(context.set("key", "here")).isSameAs(context);
        assertThatThrownBy(() -> context.set("key", "again"))
                .isInstanceOf(AsyncException.class)
                .hasMessageContaining("'key'");
        assertThat(context.<String>find("key")).isEqualTo("here");
        assertThat(context.replace("key", "other").<String>find("key")).isEqualTo("other");
        assertThat(context.unset("key").<String>find("key")).as("local only").isEqualTo("above");
        context.unset("key");
        assertThat(parent.<String>find("key")).isEqualTo("above");
        assertThatThrownBy(() -> context.set("null", null)).hasMessageContaining("unset");
    }

    @Test
    @Tag("X4")
    void rootContext_isTheMainScopes() {
        TestRuntime.run(() -> {
            assertThat(rootContext()).isSameAs(currentContext());
            rootContext().set("early", 1);
            assertThat(await(spawn(() -> currentContext().<Integer>get("early"))))
                    .isEqualTo(1);
            var free = new Scope();
            assertThat(await(free.spawn(() ->
                            currentContext().has("early") + " " + rootContext().has("early"))))
                    .isEqualTo("false true");
            free.dispose();
        });
    }

    @Test
    @Tag("X5")
    void requestContext_isThatOfTheNearestRequestScope() {
        TestRuntime.run(() -> {
            assertThat(requestContext()).isNull();
            Scope request = new Scope().asRequest();
            request.context().set("id", 7);
            Scope below = Scope.inherit(Scope.inherit(request));
            assertThat(await(below.spawn(() -> requestContext().<Integer>get("id"))))
                    .isEqualTo(7);
            assertThat(await(spawn(() -> requestContext() == null))).isTrue();
            request.dispose();
        });
    }
}
