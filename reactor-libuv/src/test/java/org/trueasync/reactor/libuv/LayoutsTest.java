package org.trueasync.reactor.libuv;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Our numbers against the system's headers, by way of a small C program. */
class LayoutsTest {
    @Test
    void numbers_areThoseOfTheHeaders(@TempDir Path directory) throws Exception {
        Map<String, Long> ours = new LinkedHashMap<>();
        ours.put("UV_VERSION_HEX", (long) Uv.version());
        ours.put("offsetof(uv_handle_t, data)", UvLayouts.DATA);
        ours.put("offsetof(uv_tcp_t, data)", UvLayouts.DATA);
        ours.put("offsetof(uv_poll_t, data)", UvLayouts.DATA);
        ours.put("offsetof(uv_write_t, data)", UvLayouts.DATA);
        ours.put("offsetof(uv_connect_t, data)", UvLayouts.DATA);
        ours.put("offsetof(uv_shutdown_t, data)", UvLayouts.DATA);
        ours.put("offsetof(uv_buf_t, base)", UvLayouts.BUF_BASE);
        ours.put("offsetof(uv_buf_t, len)", UvLayouts.BUF_LEN);
        ours.put("sizeof(uv_buf_t)", UvLayouts.BUF_SIZE);
        ours.put("sizeof(uv_loop_t)", UvLayouts.LOOP_SIZE);
        ours.put("sizeof(uv_tcp_t)", UvLayouts.TCP_SIZE);
        ours.put("sizeof(uv_poll_t)", UvLayouts.POLL_SIZE);
        ours.put("sizeof(uv_fs_event_t)", UvLayouts.FS_EVENT_SIZE);
        ours.put("sizeof(uv_timer_t)", UvLayouts.TIMER_SIZE);
        ours.put("sizeof(uv_async_t)", UvLayouts.ASYNC_SIZE);
        ours.put("sizeof(uv_write_t)", UvLayouts.WRITE_SIZE);
        ours.put("sizeof(uv_connect_t)", UvLayouts.CONNECT_SIZE);
        ours.put("sizeof(uv_shutdown_t)", UvLayouts.SHUTDOWN_SIZE);
        ours.put("UV_ASYNC", (long) UvLayouts.ASYNC);
        ours.put("UV_POLL", (long) UvLayouts.POLL);
        ours.put("UV_FS_EVENT", (long) UvLayouts.FS_EVENT);
        ours.put("UV_RENAME", (long) Uv.RENAME);
        ours.put("UV_CHANGE", (long) Uv.CHANGE);
        ours.put("UV_TCP", (long) UvLayouts.TCP);
        ours.put("UV_TIMER", (long) UvLayouts.TIMER);
        ours.put("UV_CONNECT", (long) UvLayouts.CONNECT_REQ);
        ours.put("UV_WRITE", (long) UvLayouts.WRITE_REQ);
        ours.put("UV_SHUTDOWN", (long) UvLayouts.SHUTDOWN_REQ);
        ours.put("UV_RUN_ONCE", (long) Uv.RUN_ONCE);
        ours.put("UV_RUN_NOWAIT", (long) Uv.RUN_NOWAIT);
        ours.put("UV_TCP_IPV6ONLY", (long) Uv.TCP_IPV6ONLY);
        ours.put("UV_EOF", (long) Uv.EOF);
        ours.put("UV_READABLE", (long) org.trueasync.spi.PollHandle.READABLE);
        ours.put("UV_WRITABLE", (long) org.trueasync.spi.PollHandle.WRITABLE);
        ours.put("UV_DISCONNECT", (long) org.trueasync.spi.PollHandle.DISCONNECT);
        ours.put("sizeof(uv_thread_t)", 8L);
        ours.put("sizeof(uv_os_sock_t)", 4L);
        ours.put("UV_EAGAIN", (long) -Platform.EAGAIN);
        ours.put("UV_EMFILE", (long) -Platform.EMFILE);
        ours.put("UV_ECONNABORTED", (long) -Platform.ECONNABORTED);
        ours.put("UV_ENOTCONN", (long) -Platform.ENOTCONN);
        ours.put("EINTR", (long) Platform.EINTR);
        ours.put("AF_INET", (long) Platform.AF_INET);
        ours.put("AF_INET6", (long) Platform.AF_INET6);
        ours.put("SOL_SOCKET", (long) Platform.SOL_SOCKET);
        ours.put("SO_REUSEPORT", (long) Platform.SO_REUSEPORT);
        ours.put("F_SETFD", (long) Platform.F_SETFD);
        ours.put("FD_CLOEXEC", (long) Platform.FD_CLOEXEC);
        ours.put("F_DUPFD_CLOEXEC", (long) Platform.F_DUPFD_CLOEXEC);
        ours.put("O_CLOEXEC", (long) Platform.O_CLOEXEC);
        ours.put("O_RDWR", (long) Platform.O_RDWR);
        ours.put("WNOHANG", (long) Platform.WNOHANG);
        ours.put("(WEXITED | WNOWAIT)", (long) Platform.WAIT_WITHOUT_REAPING);
        ours.put("P_PID", (long) Platform.P_PID);
        ours.put("POSIX_SPAWN_SETSIGDEF", (long) Platform.POSIX_SPAWN_SETSIGDEF);
        ours.put("POSIX_SPAWN_SETSIGMASK", (long) Platform.POSIX_SPAWN_SETSIGMASK);
        ours.put(
                "(sizeof(posix_spawn_file_actions_t) <= " + SpawnCalls.FILE_ACTIONS_SIZE
                        + " && sizeof(posix_spawnattr_t) <= " + SpawnCalls.ATTRIBUTES_SIZE + " && sizeof(sigset_t) <= "
                        + SpawnCalls.SIGNALS_SIZE + " && sizeof(siginfo_t) <= " + ProcessCalls.scratchSize() + ")",
                1L);
        ours.put("sizeof(uv_env_item_t)", 16L);
        ours.put("offsetof(uv_env_item_t, value)", 8L);
        if (!Platform.MAC) {
            ours.put("SYS_pidfd_open", (long) Platform.SYS_PIDFD_OPEN);
            ours.put("SYS_close_range", (long) Platform.SYS_CLOSE_RANGE);
        }
        if (!Platform.MAC) ours.put("(SOCK_NONBLOCK | SOCK_CLOEXEC)", (long) Platform.ACCEPT_FLAGS);

        StringBuilder program = new StringBuilder(
                "#define _GNU_SOURCE\n#include <uv.h>\n#include <stddef.h>\n#include <stdio.h>\n"
                        + "#include <fcntl.h>\n#include <errno.h>\n#include <sys/socket.h>\n#include <sys/wait.h>\n#include <spawn.h>\n#include <signal.h>\n#include <sys/syscall.h>\nint main(void) {\n");
        for (String expression : ours.keySet())
            program.append("  printf(\"%ld\\n\", (long) ").append(expression).append(");\n");
        program.append("  return 0;\n}\n");
        Path source = Files.writeString(directory.resolve("layouts.c"), program);
        Path binary = directory.resolve("layouts");
        Process compiler;
        try {
            compiler = new ProcessBuilder("gcc", "-I" + headers(), "-o", binary.toString(), source.toString())
                    .redirectErrorStream(true)
                    .start();
        } catch (java.io.IOException missing) {
            Assumptions.abort("no gcc here");
            return;
        }
        String messages = new String(compiler.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        Assumptions.assumeFalse(messages.contains("uv.h"), "no libuv header here");
        assertThat(compiler.waitFor()).as(messages).isZero();
        Process run = new ProcessBuilder(binary.toString()).start();
        String[] theirs = new String(run.getInputStream().readAllBytes(), StandardCharsets.UTF_8).split("\n");
        int line = 0;
        for (var entry : ours.entrySet())
            assertThat(Long.parseLong(theirs[line++])).as(entry.getKey()).isEqualTo(entry.getValue());
    }

    /** A library that was named has its headers beside it, or in the system's place, or none. */
    private static String headers() {
        String library = System.getProperty(UvLibrary.PROPERTY);
        return library == null
                ? "/usr/include"
                : Path.of(library).resolve("../../include").normalize().toString();
    }

    @Test
    void addresses_surviveTheWayIntoNativeMemoryAndBack() throws Exception {
        try (Arena arena = Arena.ofConfined()) {
            long memory = arena.allocate(SocketAddresses.SIZE, 8).address();
            byte[] linkLocal = InetAddress.ofLiteral("fe80::1").getAddress();
            for (var address : new InetSocketAddress[] {
                new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 80),
                new InetSocketAddress(InetAddress.ofLiteral("255.1.2.250"), 65535),
                new InetSocketAddress(InetAddress.ofLiteral("2001:db8::ff01"), 8443),
                new InetSocketAddress(java.net.Inet6Address.getByAddress(null, linkLocal, 7), 443),
            }) {
                SocketAddresses.write(address, memory);
                assertThat(SocketAddresses.read(memory)).isEqualTo(address);
            }
            SocketAddresses.write(new InetSocketAddress(InetAddress.ofLiteral("::1"), 1), memory);
            assertThat(SocketAddresses.text(SocketAddresses.read(memory))).isEqualTo("[0:0:0:0:0:0:0:1]:1");
            NativeMemory.setShort(memory, (short) 1);
            assertThat(SocketAddresses.read(memory)).isNull();
        }
    }

    @Test
    void errors_haveTheSystemsNamesAndWords() {
        assertThat(UvErrors.of(-13)).hasToString("EACCES (permission denied)");
        assertThat(UvErrors.of(-13)).isSameAs(UvErrors.of(-13));
        assertThat(UvErrors.of(Uv.EOF)).hasToString("EOF (end of file)");
        assertThat(UvErrors.of(-250).toString()).contains("-250");
        assertThat(UvErrors.orNull(0)).isNull();
    }
}
