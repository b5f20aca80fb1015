# Sourced: sets JAVA_HOME to a JDK 25, for the tests and for Maven itself, whose format check can't run on less. Exits with 2 if there is none.
jdk=
for home in "${JAVA_HOME:-}" /usr/lib/jvm/*; do
    if [ -x "$home/bin/javac" ] && grep -q '^JAVA_VERSION="25' "$home/release" 2>/dev/null; then
        jdk=$home
        break
    fi
done
if [ -z "$jdk" ]; then
    echo "no JDK 25: neither JAVA_HOME nor anything in /usr/lib/jvm is one" >&2
    exit 2
fi
export JAVA_HOME=$jdk
