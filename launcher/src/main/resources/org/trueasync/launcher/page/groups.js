// A worker: reads the whole tree, and puts alike coroutines together, so that the page has few to show, however many there are.

let runtimes = []

/** The kind of a wait: its words before the first detail. */
function kind(coroutine) {
  if (coroutine.awaits.length === 0) return ''
  return coroutine.awaits[0].split(/[\d#'"(,:]/, 1)[0].trim() || coroutine.awaits[0]
}

const withoutNumbers = text => text.replace(/\d+/g, '#')

function prepare(runtime) {
  const ids = new Map()
  for (const scope of runtime.scopes) {
    const above = ids.get(scope.parent)
    const name = scope.name ?? scope.purpose ?? (above === undefined ? 'main scope' : 'scope')
    // numbers of scopes change from one reading to the next, so a scope is known by its place
    const uses = above === undefined ? ids : above.uses
    const place = `${above?.key ?? runtime.name}/${name}`
    const nth = (uses.get(place) ?? 0) + 1
    uses.set(place, nth)
    Object.assign(scope, { key: `${place}${nth === 1 ? '' : ` ${nth}`}`, title: name, uses: new Map() })
    ids.set(scope.id, scope)
    for (const one of scope.coroutines) {
      one.kind = kind(one)
      one.place = one.suspended ?? one.spawned
      one.title = one.main ? 'main' : one.name ?? `spawned ${one.spawned}`
      one.group = [withoutNumbers(one.title), one.state, one.cancelled, one.spawned, one.suspended,
        ...one.awaits.map(withoutNumbers), ...one.frames].join('\n')
      one.search = `#${one.id} ${one.title}\n${one.spawned}\n${one.suspended ?? ''}\n${one.awaits.join('\n')}\n${scope.title}`
        .toLowerCase()
    }
  }
}

function counted(values) {
  const counts = new Map()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].sort((a, b) => b[1] - a[1])
}

/** What is shown of a scope: its coroutines that match, in groups, at most so many. */
function shown(scope, { words, state, kind }, limit, open) {
  const groups = new Map()
  let matching = 0
  for (const one of scope.coroutines) {
    if (state !== '' && one.state !== state || kind !== '' && one.kind !== kind) continue
    if (!words.every(word => word.test(one.search))) continue
    matching++
    const group = groups.get(one.group)
    if (group === undefined) groups.set(one.group, [one])
    else group.push(one)
  }
  const first = [...groups].slice(0, limit(scope.key))
  return {
    id: scope.id, parent: scope.parent, key: scope.key, title: scope.title, text: scope.text, matching,
    all: scope.coroutines.length,
    more: groups.size - first.length,
    groups: first.map(([id, members]) => {
      const key = `${scope.key}\n${id}`
      const since = members.map(one => one.sinceMillis).filter(millis => millis !== null)
      const range = since.reduce(([min, max], millis) => [Math.min(min, millis), Math.max(max, millis)], [Infinity, -1])
      const { id: first, title, state, cancelled, zombie, awaits, spawned, suspended, frames, onlyEndedBy, main } = members[0]
      return {
        key, size: members.length, id: first, main, state, cancelled, zombie, awaits, spawned, suspended, frames, onlyEndedBy,
        title: members.length > 1 ? withoutNumbers(title).replace(/[-_ ]*#$/, '') : title,
        since: range[1] < 0 ? null : range,
        members: members.length > 1 && open.has(key)
          ? members.slice(0, limit(key)).map(({ id, title, awaits, sinceMillis }) => ({ id, title, awaits, sinceMillis }))
          : [],
      }
    }),
  }
}

/** A number with # is that coroutine alone; anything else is looked for as it is. */
function searched(text) {
  return text.toLowerCase().split(/\s+/).filter(word => word !== '').map(word => /^#\d+$/.test(word)
    ? { test: search => search.startsWith(`${word} `) }
    : { test: search => search.includes(word) })
}

function view({ text, state, kind, limits, open }) {
  const filter = { words: searched(text), state, kind }
  const isFiltered = filter.words.length > 0 || state !== '' || kind !== ''
  const limit = key => limits.get(key) ?? 100
  const every = runtimes.flatMap(runtime => runtime.scopes).flatMap(scope => scope.coroutines)
  return {
    states: counted(every.map(one => one.state)),
    kinds: counted(every.map(one => one.kind).filter(kind => kind !== '')),
    all: every.length,
    runtimes: runtimes.map(runtime => {
      const all = runtime.scopes.map(scope => shown(scope, filter, limit, open))
      // a scope without a match is there for the scopes in it that have one
      const wanted = new Set()
      const byId = new Map(all.map(scope => [scope.id, scope]))
      for (const scope of all) {
        if (isFiltered && scope.matching === 0) continue
        for (let one = scope; one !== undefined && !wanted.has(one.id); one = byId.get(one.parent)) wanted.add(one.id)
      }
      const scopes = all.filter(scope => wanted.has(scope.id))
      const first = scopes.slice(0, limit(runtime.name))
      return { name: runtime.name, unread: runtime.unread, scopes: first, more: scopes.length - first.length,
        heldLoops: runtime.heldLoops }
    }),
  }
}

onmessage = async ({ data }) => {
  try {
    if (data.read) {
      const begin = performance.now()
      const response = await fetch('dump')
      if (!response.ok) throw new Error(await response.text())
      runtimes = (await response.json()).runtimes
      runtimes.forEach(prepare)
      postMessage({ read: performance.now() - begin, view: view(data) })
    } else postMessage({ view: view(data) })
  } catch (error) {
    postMessage({ error: error.message })
  }
}
