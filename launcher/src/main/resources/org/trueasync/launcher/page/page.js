// Asks for what is new each second, and shows it. The tree is tree.js's matter.
import { count, element, newSpark, spark, time, timeline } from './charts.js'
import { Lately } from './record.js'
import { Tree } from './tree.js'

const KEPT = 600
/** What the loop itself must answer is asked for at the most so often, and for so small a part of the time. */
const READ_EVERY = 10_000
const READ_PART = 1 / 50
const at = id => document.getElementById(id)

/** By the name of the runtime: the points over time, and the holds. */
const runtimes = new Map()
let chosen
let taken = 0
let process
let ended = false

// ---- numbers ----

const cards = [
  { title: 'Coroutines', of: point => point.stats.coroutines, min: 4,
    note: ({ stats }) => `${count(stats.suspended)} suspended, ${count(stats.running)} running, ${count(stats.notBegun)} not begun` },
  { title: 'Ready', of: point => point.stats.queued, min: 4,
    note: ({ stats }) => `in the run queue; ${count(stats.blocked)} in JDK code` },
  { title: 'Switches', unit: '/s', of: point => point.switches, min: 10,
    note: ({ stats }) => `${count(stats.directSwitches + stats.schedulerSwitches)} so far` },
  { title: 'Polls', unit: '/s', of: point => point.polls, min: 10, note: ({ stats }) => `${count(stats.reactorTurns)} so far` },
  { title: 'Loop busy', unit: ' %', of: point => 100 * point.busy, min: 100, note: () => 'of the last 10 s' },
  { title: 'Lag', unit: ' ms', of: point => point.stats.lagMillis, digits: 1, min: 10, note: () => 'from ready to running' },
  { title: 'Timers and handles', of: point => point.stats.timers, min: 4,
    note: ({ stats }) => `timers; ${count(stats.reactorHandles)} handles, ${count(stats.activeEvents)} events` },
  { title: 'Held', unit: ' ms/s', of: point => 1_000 * point.held, min: 100,
    note: ({ stats }) => `${time(stats.heldMillis)} so far, ${count(stats.holds)} times` },
]

function showCards(points) {
  const last = points.at(-1)
  cards.forEach(card => {
    if (card.chart === undefined) {
      card.value = element('span')
      card.text = element('p')
      card.chart = newSpark()
      const number = element('b', {}, card.value, element('small', {}, card.unit ?? ''))
      at('cards').append(element('div', { class: 'card' }, element('h3', {}, card.title), number, card.text, card.chart))
    }
    const value = card.of(last)
    card.value.textContent = card.digits && value < 100 ? value.toFixed(card.digits) : count(Math.round(value))
    card.text.textContent = card.note(last)
    spark(card.chart, points.map(card.of), card.min)
  })
}

// ---- samples ----

function take(sample) {
  process = sample
  const now = Date.parse(sample.time)
  const seen = new Set()
  for (const runtime of sample.runtimes) {
    seen.add(runtime.name)
    const known = runtimes.get(runtime.name) ?? { points: [], holds: [] }
    runtimes.set(runtime.name, known)
    const before = known.points.at(-1)
    const per = value => before === undefined ? 0 : Math.max(0, value(runtime.stats) - value(before.stats)) * 1_000
      / Math.max(1, now - before.time)
    known.state = runtime.state
    known.points.push({
      time: now,
      stats: runtime.stats,
      busy: runtime.stats.utilisation,
      switches: per(stats => stats.directSwitches + stats.schedulerSwitches),
      polls: per(stats => stats.reactorTurns),
      held: Math.min(1, per(stats => stats.heldMillis) / 1_000),
    })
    if (known.points.length > KEPT) known.points.shift()
    for (const hold of runtime.heldLoops) addHold(known, hold)
  }
  for (const name of runtimes.keys()) if (!seen.has(name)) runtimes.delete(name)
}

/** A hold that goes on is told again, longer, with a begin that is estimated anew. */
function addHold(runtime, { time, millis, holder, stack }) {
  const begin = Date.parse(time)
  const known = runtime.holds.find(hold => hold.holder === holder && begin <= hold.begin + hold.millis
    && hold.begin <= begin + millis)
  if (known === undefined) runtime.holds.push({ begin, millis, holder, stack, place: place(stack) })
  else Object.assign(known, { millis: Math.max(millis, known.millis), stack, place: place(stack) })
  if (runtime.holds.length > 100) runtime.holds.shift()
}

/** The innermost frame of the program, if there is one. */
function place(stack) {
  return stack.find(frame => !/^(java|jdk|sun|org\.trueasync)[./]/.test(frame)) ?? stack[0] ?? ''
}

function showHolds(holds) {
  const open = new Set([...at('holds').querySelectorAll('details[open]')].map(details => details.dataset.key))
  const shown = holds.slice(-8).reverse().map(hold => {
    const key = `${hold.begin} ${hold.holder}`
    const details = element('details', { 'data-key': key, ...(open.has(key) ? { open: '' } : {}) },
      element('summary', {},
        element('span', { class: 'quiet' }, new Date(hold.begin).toLocaleTimeString('en-GB')),
        element('span', { class: 'number' }, time(hold.millis)),
        element('span', {}, `held by ${hold.holder}`),
        element('span', { class: 'quiet place' }, hold.place)),
      element('pre', { tabindex: 0 }, hold.stack.map(frame => `at ${frame}`).join('\n')))
    return details
  })
  const text = shown.map(details => details.textContent).join('\n')
  if (showHolds.text === text) return
  showHolds.text = text
  const focus = document.activeElement?.closest('#holds details')?.dataset.key
  at('holds').replaceChildren(...shown)
  shown.find(details => details.dataset.key === focus)?.firstChild.focus()
}

function showRuntimes() {
  const names = [...runtimes.keys()]
  if (!names.includes(chosen)) chosen = names[0]
  at('runtimes').hidden = names.length < 2
  if (names.length < 2) return
  const known = new Map([...at('runtimes').children].map(button => [button.dataset.name, button]))
  for (const [name, { points, state }] of runtimes) {
    let button = known.get(name)
    known.delete(name)
    if (button === undefined) {
      button = element('button', { 'data-name': name }, element('span', {}, name), element('small'), newSpark())
      button.addEventListener('click', () => { chosen = name; show() })
      at('runtimes').append(button)
    }
    const { stats, busy } = points.at(-1)
    const coroutines = `${count(stats.coroutines)} coroutine${stats.coroutines === 1 ? '' : 's'}`
    button.children[1].textContent = `${state}, ${coroutines}, ${Math.round(100 * busy)} %`
    button.setAttribute('aria-pressed', name === chosen)
    spark(button.children[2], points.map(point => point.busy), 1)
  }
  for (const gone of known.values()) gone.remove()
}

const WORST = ['held', 'ending', 'draining', 'busy', 'waiting']

function show() {
  if (process === undefined) return
  showRuntimes()
  const states = [...runtimes.values()].map(runtime => runtime.state)
  const state = ended || states.length === 0 ? 'ended' : WORST.find(word => states.includes(word)) ?? states[0]
  at('state').textContent = state
  at('state').className = `state ${state}`
  const names = runtimes.size === 1 ? `runtime '${[...runtimes.keys()][0]}'` : `${runtimes.size} runtimes`
  at('process').textContent = `process ${process.pid} · ${names} · JDK ${process.jdk}`
  const runtime = runtimes.get(chosen)
  if (runtime === undefined) return
  showCards(runtime.points)
  timeline(at('timeline'), runtime.points, runtime.holds, Date.parse(process.time))
  showHolds(runtime.holds)
}

async function sample() {
  try {
    const response = await fetch(`samples?${taken}`)
    if (!response.ok) throw new Error(await response.text())
    const news = await response.json()
    at('program').textContent = news.program || `process ${news.pid}`
    document.title = `${news.program} · ${news.pid}`
    ended = news.ended
    news.samples.forEach(take)
    if (news.taken !== taken) show()
    taken = news.taken
    tell(news.problem === null ? null : ended ? `${news.problem}. These are its last numbers.` : news.problem)
    if (ended) show()
  } catch (error) {
    tell(ended ? at('problem').textContent : `The command that serves this page has ended, or does not answer. (${error.message})`)
  }
}

function tell(problem) {
  at('problem').hidden = problem === null
  if (problem !== null) at('problem').textContent = problem
}

// ---- why, and the tree: what the loop itself must answer is asked for one by one ----

async function why() {
  const response = await fetch('why')
  const text = await response.text()
  const [first, ...more] = text.trimEnd().split('\n')
  at('why').firstElementChild.textContent = first
  at('why').lastElementChild.textContent = more.join('\n')
}

const tree = new Tree(at('tree'), runtime => {
  for (const hold of runtime.heldLoops) if (runtimes.has(runtime.name)) addHold(runtimes.get(runtime.name), hold)
})

const lately = new Lately(at('lately'), at('recorded'))
at('record-now').addEventListener('click', () => lately.read(chosen))

/** Does it again and again, never twice at once. */
async function repeat(action) {
  const begin = performance.now()
  await action().catch(() => {}) // the next sample says what is wrong
  setTimeout(() => repeat(action), Math.max(READ_EVERY, (performance.now() - begin) / READ_PART))
}

const pause = millis => new Promise(over => setTimeout(over, millis))
async function samples() {
  for (;;) {
    if (!document.hidden || taken === 0) await sample()
    if (ended) return
    await pause(1_000)
  }
}
samples()
repeat(async () => {
  if (ended || document.hidden) return
  await why()
})
repeat(async () => {
  if (!ended && !document.hidden) await tree.readIfShown()
})
new ResizeObserver(show).observe(at('timeline'))
