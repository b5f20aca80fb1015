package org.trueasync.cluster;

import com.hazelcast.config.Config;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * How a program joins a cluster. The defaults are safe: the member listens on the loopback address only, looks for no
 * other member, does not announce itself, and takes objects of few classes.
 *
 * <p>Any thread.
 */
public final class ClusterConfig {
    private final Builder values;

    private ClusterConfig(Builder values) {
        this.values = values;
    }

    /** Returns a builder with the defaults. */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Returns a builder with the settings of the environment: {@code TRUEASYNC_CLUSTER_NAME},
     * {@code TRUEASYNC_CLUSTER_BIND}, {@code TRUEASYNC_CLUSTER_PORT} and {@code TRUEASYNC_CLUSTER_MEMBERS}, the last
     * with commas between; or of the system properties {@code trueasync.cluster.name} and so on, which take precedence.
     *
     * @throws IllegalArgumentException if the port is not a number from 0 to 65535
     */
    public static Builder fromEnvironment() {
        return fromEnvironment(key -> {
            String property = System.getProperty("trueasync.cluster." + key);
            return property != null ? property : System.getenv("TRUEASYNC_CLUSTER_" + key.toUpperCase(Locale.ROOT));
        });
    }

    static Builder fromEnvironment(Function<String, @Nullable String> lookup) {
        var builder = new Builder();
        String name = lookup.apply("name");
        String bind = lookup.apply("bind");
        String port = lookup.apply("port");
        String members = lookup.apply("members");
        if (name != null && !name.isBlank()) builder.name(name.strip());
        if (bind != null && !bind.isBlank()) builder.bind(bind.strip());
        if (port != null && !port.isBlank()) builder.port(Builder.portOf(port.strip()));
        if (members != null)
            for (String member : members.split(",", -1)) if (!member.isBlank()) builder.members(member.strip());
        return builder;
    }

    /** The cluster's name; members with the same one form a cluster. */
    public String name() {
        return values.name;
    }

    /** The address that this member listens on. */
    public String bind() {
        return values.bind;
    }

    /** The port that this member listens on; 0 for the first free one from 5701. */
    public int port() {
        return values.port;
    }

    /** Addresses of possible other members, {@code host} or {@code host:port}. */
    public List<String> members() {
        return values.members;
    }

    /** The classes that may come from other members: names of classes, and names of packages with a dot at the end. */
    public List<String> allowed() {
        return values.allowed;
    }

    /** How long a member may be silent before the others go on without it. */
    public Duration silence() {
        return values.silence;
    }

    /** How many tasks this member has at once, at most, whoever sent them. */
    public int taskLimit() {
        return values.taskLimit;
    }

    /** The change of the engine's own settings, made after all others. */
    public Consumer<Config> engine() {
        return values.engine;
    }

    /** Collects settings; not for several threads at once. */
    public static final class Builder {
        private String name = "trueasync";
        private String bind = "127.0.0.1";
        private int port;
        private List<String> members = List.of();
        private List<String> allowed = List.of();
        private Duration silence = Duration.ofSeconds(20);
        private int taskLimit = 100_000;
        private Consumer<Config> engine = config -> {};

        private Builder() {}

        private Builder(Builder other) {
            name = other.name;
            bind = other.bind;
            port = other.port;
            members = List.copyOf(other.members);
            allowed = List.copyOf(other.allowed);
            silence = other.silence;
            taskLimit = other.taskLimit;
            engine = other.engine;
        }

        /**
         * Sets the cluster's name. Members with the same name form a cluster; it is no secret and protects nothing.
         *
         * @param clusterName {@code trueasync} if not set
         * @throws IllegalArgumentException if it is blank
         */
        public Builder name(String clusterName) {
            if (Objects.requireNonNull(clusterName, "clusterName").isBlank())
                throw new IllegalArgumentException("a cluster's name must not be blank");
            name = printable("a cluster's name", clusterName);
            return this;
        }

        /**
         * Sets the address to listen on. Any program that reaches it can have this one run the tasks that it allows, so
         * access from an open network must be prevented by other means.
         *
         * @param address one of this machine's; {@code 127.0.0.1} if not set
         */
        public Builder bind(String address) {
            bind = printable("an address", Objects.requireNonNull(address, "address"));
            return this;
        }

        /**
         * Sets the port to listen on.
         *
         * @param number 0 for the first free one from 5701, as if not set
         * @throws IllegalArgumentException if it is not 0 to 65535
         */
        public Builder port(int number) {
            if (number < 0 || number > 65535)
                throw new IllegalArgumentException("port must be 0 to 65535, got " + number);
            port = number;
            return this;
        }

        /**
         * Adds addresses of possible other members. A new member needs to find only one of them; its own address may be
         * among them. With none, this member waits for others to come.
         *
         * @param addresses {@code host} or {@code host:port}
         */
        public Builder members(String... addresses) {
            var all = new ArrayList<>(members);
            for (String address : addresses) all.add(Objects.requireNonNull(address, "address"));
            members = all;
            return this;
        }

        /**
         * Adds classes that may come from other members: as tasks, values and errors, and in what these hold. With
         * none, those of the package of the class that calls {@code join}, and of the packages below, may come; if that
         * is the unnamed package, only the class itself with its nested ones. Values of the JDK, such as texts,
         * numbers, collections and times, always may.
         *
         * @param names of classes, their nested ones included, or of packages with a dot at the end, with the packages
         *     below
         * @throws IllegalArgumentException if one is blank, a dot alone, or contains an asterisk or a semicolon
         */
        public Builder allow(String... names) {
            var all = new ArrayList<>(allowed);
            for (String classOrPackage : names) {
                if (classOrPackage.isBlank()
                        || classOrPackage.equals(".")
                        || classOrPackage.contains("*")
                        || classOrPackage.contains(";"))
                    throw new IllegalArgumentException(
                            "'" + classOrPackage + "' is no class name, nor a package name with a dot at its end");
                all.add(classOrPackage);
            }
            allowed = all;
            return this;
        }

        /**
         * As {@link #allow(String...)}.
         *
         * @param classes to allow, with their nested ones
         */
        public Builder allow(Class<?>... classes) {
            for (Class<?> type : classes) allow(type.getName());
            return this;
        }

        /**
         * Sets how long a member may be silent before the others go on without it: one that hangs, or whose network is
         * gone. The end of a process is noticed within a second or so. Too short a time loses members to a long pause
         * of the garbage collector. One that comes back is looked for every half of this time, at least every 10 s and
         * at most every 5 s, and joins again as a new member.
         *
         * @param limit 20 s if not set, at least 2 s; fractions of a second are dropped
         * @throws IllegalArgumentException if it is below 2 s
         */
        public Builder silence(Duration limit) {
            if (Objects.requireNonNull(limit, "limit").toSeconds() < 2)
                throw new IllegalArgumentException("silence must be >= 2 s, got " + limit);
            silence = limit;
            return this;
        }

        /**
         * Sets how many tasks this member has at once, at most, its own included. It refuses further ones; their
         * callers get a {@link TaskRefusedException}.
         *
         * @param count >= 1; 100,000 if not set
         * @throws IllegalArgumentException if it is below 1
         */
        public Builder taskLimit(int count) {
            if (count < 1) throw new IllegalArgumentException("taskLimit must be >= 1, got " + count);
            taskLimit = count;
            return this;
        }

        /**
         * Adds a change of the engine's own settings, made after all others: discovery in Kubernetes or a cloud,
         * backups of maps and the like.
         *
         * @param change called with each join
         */
        public Builder engine(Consumer<Config> change) {
            engine = engine.andThen(Objects.requireNonNull(change, "change"));
            return this;
        }

        private static String printable(String what, String text) {
            if (text.chars().anyMatch(Character::isISOControl))
                throw new IllegalArgumentException(
                        what + " must have no control characters, got '" + text.replaceAll("\\p{Cntrl}", "?") + "'");
            return text;
        }

        /** Returns the configuration. */
        public ClusterConfig build() {
            return new ClusterConfig(new Builder(this));
        }

        private static int portOf(String text) {
            try {
                return Integer.parseInt(text);
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException("port must be 0 to 65535, got '" + text + "'", e);
            }
        }
    }
}
