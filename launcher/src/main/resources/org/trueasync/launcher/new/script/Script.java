// trueasync run @name@.java [city...]
import static org.trueasync.Async.*;

/** Waits as a service on the network would: only the coroutine that calls this waits. */
String weather(String city) {
    delay(100 + 10 * city.length());
    return city + ": " + city.length() * 3 + " degrees";
}

void main(String[] cities) {
    var asked = cities.length > 0 ? List.of(cities) : List.of("Oslo", "Lagos", "Lima");
    var answers = asked.stream().map(city -> spawn(() -> weather(city))).toList(); // all at the same time
    for (var answer : answers) IO.println(await(answer));
}
