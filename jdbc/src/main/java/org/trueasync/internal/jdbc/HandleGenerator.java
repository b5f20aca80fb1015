package org.trueasync.internal.jdbc;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_String;
import static java.lang.constant.ConstantDescs.CD_Throwable;
import static java.lang.constant.ConstantDescs.CD_void;
import static java.lang.constant.ConstantDescs.INIT_NAME;

import java.io.InputStream;
import java.io.Reader;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.sql.Array;
import java.sql.Blob;
import java.sql.CallableStatement;
import java.sql.Clob;
import java.sql.DatabaseMetaData;
import java.sql.NClob;
import java.sql.ParameterMetaData;
import java.sql.PreparedStatement;
import java.sql.Ref;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.RowId;
import java.sql.SQLException;
import java.sql.SQLXML;
import java.sql.Statement;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Generates a class from an interface and an abstract base, which implements the methods that need special treatment.
 * Each other method becomes
 *
 * <pre>{@code
 * Object target = enter();
 * R result;
 * try {
 *     result = (R) wrap(((I) target).method(unwrapped(argument), ...));
 * } catch (Throwable e) {
 *     throw leave(e);
 * }
 * leave();
 * return result;
 * }</pre>
 *
 * or, if it never waits,
 *
 * <pre>{@code
 * try {
 *     return (R) wrap(((I) target()).method(unwrapped(argument), ...));
 * } catch (SQLException e) {
 *     throw failed(e);
 * }
 * }</pre>
 */
final class HandleGenerator {
    private static final Set<Class<?>> WRAPPED = Set.of(
            Object.class,
            Statement.class,
            PreparedStatement.class,
            CallableStatement.class,
            ResultSet.class,
            Blob.class,
            Clob.class,
            NClob.class,
            SQLXML.class,
            Array.class,
            Ref.class,
            DatabaseMetaData.class,
            ResultSetMetaData.class,
            ParameterMetaData.class);
    private static final Set<Class<?>> UNWRAPPED = Set.of(
            Object.class, Blob.class, Clob.class, NClob.class, SQLXML.class, Array.class, Ref.class, RowId.class);
    private static final Set<String> ROW_CHANGES = Set.of("insertRow", "updateRow", "deleteRow");
    private static final Set<Class<?>> LOCATORS = Set.of(Blob.class, Clob.class, NClob.class, SQLXML.class);

    /** The settings of a statement; its other getters may fetch. */
    private static final Pattern SETTING = Pattern.compile(
            "(set|is|clear).*|get(Warnings|Connection|Fetch.*|.*Max.*|QueryTimeout|ResultSet(Type|Concurrency|Holdability))");

    private static final Set<Class<?>> STREAMS = Set.of(InputStream.class, Reader.class);

    private static final ClassDesc SQL_EXCEPTION = desc(SQLException.class);
    private static final MethodTypeDesc TO_VOID = MethodTypeDesc.of(CD_void);
    private static final MethodTypeDesc TO_OBJECT = MethodTypeDesc.of(CD_Object);
    private static final MethodTypeDesc OBJECT_TO_OBJECT = MethodTypeDesc.of(CD_Object, CD_Object);

    private final Class<?> base;
    private final ClassDesc baseDesc;
    private final Class<?> type;

    private HandleGenerator(Class<?> base, Class<?> type) {
        this.base = base;
        this.baseDesc = desc(base);
        this.type = type;
    }

    /**
     * Generates a class.
     *
     * @param base in this package
     * @param type the interface that the class implements
     * @param parameters of the base's constructor
     * @return the class's constructor
     */
    static MethodHandle constructor(Class<?> base, Class<?> type, Class<?>... parameters) {
        MethodHandles.Lookup here = HandleClass.lookup();
        byte[] bytes = new HandleGenerator(base, type).generate(here, parameters);
        try {
            MethodHandles.Lookup made = here.defineHiddenClass(bytes, true);
            return made.findConstructor(made.lookupClass(), MethodType.methodType(void.class, parameters));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("Bug in TrueAsync: no handles for " + type, e);
        }
    }

    private byte[] generate(MethodHandles.Lookup here, Class<?>[] parameters) {
        var resolver = ClassFile.ClassHierarchyResolverOption.of(ClassHierarchyResolver.ofClassLoading(here));
        ClassDesc name = ClassDesc.of(base.getPackageName(), base.getSimpleName() + "For" + type.getSimpleName());
        return ClassFile.of(resolver).build(name, made -> {
            made.withFlags(ClassFile.ACC_FINAL | ClassFile.ACC_SYNTHETIC)
                    .withSuperclass(baseDesc)
                    .withInterfaceSymbols(desc(type));
            constructor(made, parameters);
            for (Method method : type.getMethods()) if (isPassedOn(method)) method(made, method);
        });
    }

    /** True if the base does not implement the method. */
    private boolean isPassedOn(Method method) {
        if (Modifier.isStatic(method.getModifiers())) return false;
        try {
            Method own = base.getMethod(method.getName(), method.getParameterTypes());
            return own.getDeclaringClass().isInterface();
        } catch (NoSuchMethodException none) {
            return true;
        }
    }

    private void constructor(ClassBuilder made, Class<?>[] parameters) {
        MethodTypeDesc shape = MethodType.methodType(void.class, parameters)
                .describeConstable()
                .orElseThrow();
        made.withMethodBody(INIT_NAME, shape, 0, code -> {
            code.aload(0);
            for (int i = 0; i < parameters.length; i++) code.aload(code.parameterSlot(i));
            code.invokespecial(baseDesc, INIT_NAME, shape).return_();
        });
    }

    private void method(ClassBuilder made, Method method) {
        MethodTypeDesc shape = MethodType.methodType(method.getReturnType(), method.getParameterTypes())
                .describeConstable()
                .orElseThrow();
        made.withMethodBody(method.getName(), shape, ClassFile.ACC_PUBLIC, code -> {
            if (neverWaits(method)) localCall(code, method, shape);
            else call(code, method, shape);
        });
    }

    /** True if the method reads what was fetched, or stores what will be sent: neither waits. */
    private boolean neverWaits(Method method) {
        String name = method.getName();
        if (type == ResultSet.class)
            return (name.startsWith("get") && !name.equals("getMetaData"))
                    || name.equals("wasNull")
                    || name.equals("findColumn");
        boolean parameter = method.getDeclaringClass() == PreparedStatement.class
                || method.getDeclaringClass() == CallableStatement.class;
        return parameter && (name.startsWith("set") || (name.startsWith("get") && !name.endsWith("MetaData")));
    }

    /**
     * True if the method reads or changes a setting of a connection or statement: libraries do that in the middle of
     * their clean-up.
     */
    private boolean isSetting(Method method) {
        Class<?> declaring = method.getDeclaringClass();
        String name = method.getName();
        if (declaring == java.sql.Connection.class)
            return name.startsWith("get") || name.equals("isReadOnly") || name.equals("clearWarnings");
        if (declaring == PreparedStatement.class || declaring == CallableStatement.class)
            return name.equals("clearParameters");
        return declaring == Statement.class && (SETTING.matcher(name).matches() || name.equals("closeOnCompletion"));
    }

    /** True if the method changes the database without executing a statement: that begins a transaction. */
    private boolean changesData(Method method) {
        String name = method.getName();
        if (type == ResultSet.class) return ROW_CHANGES.contains(name);
        return LOCATORS.contains(type) && (name.startsWith("set") || name.equals("truncate"));
    }

    private void localCall(CodeBuilder code, Method method, MethodTypeDesc shape) {
        hooks(code, method);
        code.trying(
                body -> {
                    body.aload(0).invokevirtual(baseDesc, "target", TO_OBJECT);
                    delegate(body, method, shape);
                    body.return_(TypeKind.from(method.getReturnType()));
                },
                catching -> catching.catching(SQL_EXCEPTION, handler -> handler.aload(0)
                        .swap()
                        .invokevirtual(baseDesc, "failed", MethodTypeDesc.of(SQL_EXCEPTION, SQL_EXCEPTION))
                        .athrow()));
    }

    private void call(CodeBuilder code, Method method, MethodTypeDesc shape) {
        TypeKind kind = TypeKind.from(method.getReturnType());
        int target = code.allocateLocal(TypeKind.REFERENCE);
        int result = kind == TypeKind.VOID ? -1 : code.allocateLocal(kind);
        String enter = isSetting(method) ? "enterShielded" : "enter";
        code.aload(0).invokevirtual(baseDesc, enter, TO_OBJECT).astore(target);
        code.trying(
                body -> {
                    hooks(body, method);
                    body.aload(target);
                    delegate(body, method, shape);
                    if (result >= 0) body.storeLocal(kind, result);
                },
                catching -> catching.catching(CD_Throwable, handler -> handler.aload(0)
                        .swap()
                        .invokevirtual(baseDesc, "leave", MethodTypeDesc.of(CD_Throwable, CD_Throwable))
                        .athrow()));
        code.aload(0).invokevirtual(baseDesc, "leave", TO_VOID);
        if (result >= 0) code.loadLocal(kind, result);
        code.return_(kind);
    }

    /** Calls the method on the object on the stack. */
    private void delegate(CodeBuilder code, Method method, MethodTypeDesc shape) {
        code.checkcast(desc(type));
        Class<?>[] parameters = method.getParameterTypes();
        for (int i = 0; i < parameters.length; i++) {
            code.loadLocal(TypeKind.from(parameters[i]), code.parameterSlot(i));
            if (!UNWRAPPED.contains(parameters[i])) continue;
            code.invokestatic(desc(Handle.class), "unwrapped", OBJECT_TO_OBJECT).checkcast(desc(parameters[i]));
        }
        code.invokeinterface(desc(type), method.getName(), shape);
        Class<?> result = method.getReturnType();
        if (!WRAPPED.contains(result)) return;
        code.aload(0)
                .swap()
                .invokevirtual(baseDesc, wrapper(result), OBJECT_TO_OBJECT)
                .checkcast(desc(result));
    }

    /**
     * Returns the name of the wrapping method. Some drivers have one class for a result and its metadata: there the
     * class does not tell which is meant.
     */
    private static String wrapper(Class<?> result) {
        if (result == ResultSetMetaData.class) return "wrapResultDescription";
        if (result == ParameterMetaData.class) return "wrapParameterDescription";
        return "wrap";
    }

    /** Generates what tells the handle about the call before it is made. */
    private void hooks(CodeBuilder code, Method method) {
        if (changesData(method)) code.aload(0).invokevirtual(baseDesc, "noteWrite", TO_VOID);
        if (!Statement.class.isAssignableFrom(type) && type != java.sql.Connection.class) return;
        Class<?>[] parameters = method.getParameterTypes();
        String name = method.getName();
        boolean text = parameters.length > 0 && parameters[0] == String.class;
        if (text) textHook(code, name);
        if (name.equals("executeBatch") || name.equals("executeLargeBatch"))
            code.aload(0).invokevirtual(baseDesc, "noteBatch", TO_VOID);
        if (name.startsWith("setShardingKey")) code.aload(0).invokevirtual(baseDesc, "noteSharding", TO_VOID);
        if (name.equals("clearBatch")) code.aload(0).invokevirtual(baseDesc, "noteNoBatch", TO_VOID);
        boolean ofStatement = method.getDeclaringClass() == Statement.class;
        if (ofStatement && (name.startsWith("set") || name.equals("closeOnCompletion")))
            code.aload(0).invokevirtual(baseDesc, "noteChange", TO_VOID);
        if (name.equals("setObject"))
            code.aload(0)
                    .aload(code.parameterSlot(1))
                    .invokevirtual(baseDesc, "noteArgument", MethodTypeDesc.of(CD_void, CD_Object));
        for (Class<?> parameter : parameters) {
            if (!STREAMS.contains(parameter)) continue;
            code.aload(0).invokevirtual(baseDesc, "noteStream", TO_VOID);
            break;
        }
    }

    /** Generates what tells the handle the text that the call gets. */
    private void textHook(CodeBuilder code, String name) {
        String hook;
        if (name.startsWith("execute")) hook = "noteSql";
        else if (name.equals("addBatch")) hook = "noteBatched";
        else if (name.startsWith("prepare")) hook = "notePrepared";
        else return;
        code.aload(0).aload(code.parameterSlot(0)).invokevirtual(baseDesc, hook, MethodTypeDesc.of(CD_void, CD_String));
    }

    private static ClassDesc desc(Class<?> type) {
        return type.describeConstable().orElseThrow();
    }
}
