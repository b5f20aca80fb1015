package org.trueasync.reactor.nio;

import static org.trueasync.reactor.nio.FaultyCalls.call;

import java.io.IOException;
import java.net.ProtocolFamily;
import java.net.StandardProtocolFamily;
import java.nio.channels.DatagramChannel;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.AbstractSelectableChannel;
import java.nio.channels.spi.AbstractSelector;
import java.nio.channels.spi.SelectorProvider;
import java.util.Set;
import java.util.function.Consumer;

/** The JDK's selectors and channels, whose calls may fail; named by {@code java.nio.channels.spi.SelectorProvider}. */
public final class FaultySelectors extends SelectorProvider {
    private final SelectorProvider real;

    /** For the JDK. */
    public FaultySelectors() throws ReflectiveOperationException {
        real = (SelectorProvider) Class.forName("sun.nio.ch.DefaultSelectorProvider")
                .getMethod("get")
                .invoke(null);
    }

    @Override
    public DatagramChannel openDatagramChannel() throws IOException {
        return openDatagramChannel(StandardProtocolFamily.INET);
    }

    @Override
    public DatagramChannel openDatagramChannel(ProtocolFamily family) throws IOException {
        return call("DatagramChannel.open", () -> new FaultyDatagrams(this, real.openDatagramChannel(family)));
    }

    @Override
    public Pipe openPipe() throws IOException {
        return real.openPipe();
    }

    @Override
    public AbstractSelector openSelector() throws IOException {
        return call("Selector.open", () -> new FaultySelector(this, real.openSelector()));
    }

    @Override
    public ServerSocketChannel openServerSocketChannel() throws IOException {
        return openServerSocketChannel(StandardProtocolFamily.INET);
    }

    @Override
    public ServerSocketChannel openServerSocketChannel(ProtocolFamily family) throws IOException {
        return call(
                "ServerSocketChannel.open", () -> new FaultyServerSocket(this, real.openServerSocketChannel(family)));
    }

    @Override
    public SocketChannel openSocketChannel() throws IOException {
        return openSocketChannel(StandardProtocolFamily.INET);
    }

    @Override
    public SocketChannel openSocketChannel(ProtocolFamily family) throws IOException {
        return call("SocketChannel.open", () -> new FaultySocket(this, real.openSocketChannel(family)));
    }

    /** Registers the real channels; so its keys are those of the real selector, which the reactor asks only. */
    private static final class FaultySelector extends AbstractSelector {
        private final AbstractSelector real;

        FaultySelector(SelectorProvider provider, AbstractSelector real) {
            super(provider);
            this.real = real;
        }

        @Override
        protected SelectionKey register(AbstractSelectableChannel channel, int operations, Object attachment) {
            AbstractSelectableChannel inner =
                    switch (channel) {
                        case FaultySocket socket -> socket.real;
                        case FaultyServerSocket server -> server.real;
                        case FaultyDatagrams datagrams -> datagrams.real;
                        default -> throw new AssertionError(channel);
                    };
            try {
                return inner.register(real, operations, attachment);
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }

        @Override
        protected void implCloseSelector() throws IOException {
            call("Selector.close", () -> {
                real.close();
                return null;
            });
        }

        @Override
        public Set<SelectionKey> keys() {
            return real.keys();
        }

        @Override
        public Set<SelectionKey> selectedKeys() {
            return real.selectedKeys();
        }

        @Override
        public int selectNow() throws IOException {
            return real.selectNow();
        }

        @Override
        public int select(long timeout) throws IOException {
            return real.select(timeout);
        }

        @Override
        public int select() throws IOException {
            return real.select();
        }

        @Override
        public int select(Consumer<SelectionKey> action, long timeout) throws IOException {
            return real.select(action, timeout);
        }

        @Override
        public int selectNow(Consumer<SelectionKey> action) throws IOException {
            return real.selectNow(action);
        }

        @Override
        public Selector wakeup() {
            real.wakeup();
            return this;
        }
    }
}
