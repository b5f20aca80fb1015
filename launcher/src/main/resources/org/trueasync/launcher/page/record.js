// The black box of one loop: its last minute as a picture, slow requests as bars, the longest turns. The process is asked
// only when somebody wants to see it. docs/guide/black-box.md and RecordFile.java describe the text.
import { count, drawn, element, time } from './charts.js'

const MINUTE = 60_000
const SHOWN = 8
const KINDS = ['running', 'queue', 'pool', 'lock', 'channel', 'io', 'timer', 'blocking', 'coroutine', 'jdk', 'gc', 'other']
const millis = nanos => Number(nanos) / 1e6

/** What is told of one runtime; times are milliseconds before the moment of the record. */
export function parse(text, name) {
  const found = { labels: new Map(), turns: [], sleeps: [], pauses: [], requests: [], complete: false }
  let here = false
  let running
  for (const line of text.split('\n')) {
    const [word, ...fields] = line.split('\t')
    if (word === 'pause') found.pauses.push({ from: millis(fields[0]), to: millis(fields[1]), text: fields[2] })
    else if (word === 'runtime') here = fields[0] === name
    else if (word === 'complete') found.complete = true
    if (!here) continue
    if (word === 'known') found.labels.set(fields[0], fields[1])
    else if (word === 'spawn' && fields[3]) found.labels.set(fields[1], `#${fields[1]} ${fields[3]}`)
    else if (word === 'run') running = { id: fields[1], from: millis(fields[0]) }
    else if ((word === 'leave' || word === 'end') && running?.id === fields[1]) {
      found.turns.push({ ...running, to: millis(fields[0]) })
      running = undefined
    } else if (word === 'sleep') found.sleeps.push({ from: millis(fields[0]), to: millis(fields[1]) })
    else if (word === 'request') found.requests.push(request(fields))
  }
  if (running !== undefined) found.turns.push({ ...running, to: 0, goesOn: true })
  return found
}

function request([from, to, name, , ...rest]) {
  const parts = []
  for (let i = 0; i + 2 < rest.length; i += 3) parts.push({ kind: rest[i], millis: millis(rest[i + 1]), what: rest[i + 2] })
  return { from: millis(from), to: millis(to), millis: millis(to) - millis(from), name, parts }
}

export class Lately {
  constructor(at, status) {
    this.at = at
    this.status = status
  }

  async read(runtime) {
    this.status.textContent = 'reading…'
    try {
      const response = await fetch('record')
      const text = await response.text()
      if (!response.ok) throw new Error(text)
      this.show(parse(text, runtime), new Date())
    } catch (error) {
      this.status.textContent = `It can't be read: ${error.message}`
    }
  }

  show(record, moment) {
    const first = record.turns[0] ?? record.sleeps[0]
    if (first === undefined) {
      this.at.replaceChildren()
      this.status.textContent = 'This process records nothing: start it with -Dorg.trueasync.blackBox=4.'
      return
    }
    const from = Math.max(-MINUTE, first.from)
    const turns = record.turns.filter(turn => turn.to > from)
    const busy = turns.reduce((sum, turn) => sum + turn.to - Math.max(from, turn.from), 0)
    this.status.textContent = `${moment.toLocaleTimeString('en-GB')}: ${time(-from)}, ${count(turns.length)} turns, `
      + `busy ${(100 * busy / -from).toFixed(busy / -from < 0.1 ? 1 : 0)} %`
    const name = turn => record.labels.get(turn.id) ?? `#${turn.id}`
    const longest = turns.filter(turn => turn.to - turn.from >= 1).sort((a, b) => b.to - b.from - a.to + a.from).slice(0, SHOWN)
    const slow = record.requests.filter(one => one.to > from).sort((a, b) => b.millis - a.millis).slice(0, SHOWN)
    this.at.replaceChildren(
      picture(this.at.clientWidth, from, turns, longest, slow, record.pauses, name),
      ...slow.length === 0 ? [] : [element('h3', {}, 'Slow requests'), ...slow.map(one => bar(one, slow[0].millis))],
      ...longest.length === 0 ? [] : [element('h3', {}, 'Longest turns'), ...longest.map(turn =>
        element('p', { class: 'turn' },
          element('span', { class: 'quiet' }, `${time(-turn.from)} ago`),
          element('span', { class: 'number' }, `${(turn.to - turn.from).toFixed(1)} ms`),
          element('span', {}, name(turn) + (turn.goesOn ? ', goes on' : ''))))])
  }
}

/** The loop's turns, the slow requests above them, and the pauses of the collector below. */
function picture(width, from, turns, longest, slow, pauses, name) {
  const svg = drawn('svg', { id: 'minute', viewBox: `0 0 ${width} 118`, role: 'img', 'aria-label': 'What the loop did lately' })
  const x = at => (at - from) / -from * width
  const box = (cls, y, height, begin, end, text) => svg.append(drawn('rect',
    { class: cls, x: x(Math.max(from, begin)).toFixed(2), y, height, width: Math.max(0.7, x(end) - x(Math.max(from, begin))).toFixed(2) },
    ...text === undefined ? [] : [drawn('title', {}, text)]))
  slow.forEach((one, i) => box('request', 6 + i * 5, 4, one.from, one.to, `${one.name}, ${time(one.millis)}`))
  // what is closer together than half a pixel is one box
  let open
  for (const turn of turns) {
    if (open !== undefined && x(turn.from) - x(open.to) < 0.5) open.to = Math.max(open.to, turn.to)
    else {
      if (open !== undefined) box('busy', 52, 26, open.from, open.to)
      open = { from: turn.from, to: turn.to }
    }
  }
  if (open !== undefined) box('busy', 52, 26, open.from, open.to)
  for (const turn of longest) box('long', 52, 26, turn.from, turn.to, `${name(turn)}, ${(turn.to - turn.from).toFixed(1)} ms`)
  for (const pause of pauses) if (pause.to > from) box('gc', 82, 8, pause.from, pause.to, pause.text)
  svg.append(drawn('line', { class: 'grid', x1: 0, x2: width, y1: 95, y2: 95 }))
  for (const part of [0, 0.25, 0.5, 0.75])
    svg.append(drawn('text', { x: width - part * width - 4, y: 110, 'text-anchor': 'end' },
      part === 0 ? 'now' : `${time(-from * part)} ago`))
  return svg
}

/** A request as a bar of its parts, the slowest one over the whole width; opened, with what each part was. */
function bar(one, longest) {
  const line = element('span', { class: 'bar' })
  const svg = drawn('svg', { viewBox: `0 0 1000 10`, preserveAspectRatio: 'none', role: 'img', 'aria-label': 'Its parts' })
  let at = 0
  for (const part of one.parts) {
    const width = part.millis / longest * 1_000
    svg.append(drawn('rect', { class: `k${KINDS.indexOf(part.kind)}`, x: at.toFixed(1), y: 0, height: 10, width: width.toFixed(1) },
      drawn('title', {}, `${time(part.millis)} ${part.kind} ${part.what}`)))
    at += width
  }
  line.append(svg)
  return element('details', { class: 'request' },
    element('summary', {},
      element('span', { class: 'quiet' }, `${time(-one.from)} ago`),
      element('span', { class: 'number' }, time(one.millis)),
      element('span', { class: 'what' }, one.name), line),
    element('div', {}, ...one.parts.filter(part => part.millis >= 0.05).map(part => element('p', { class: 'part' },
      element('i', { class: `k${KINDS.indexOf(part.kind)}` }),
      element('span', { class: 'number' }, `${part.millis.toFixed(1)} ms`),
      element('span', {}, part.kind),
      element('span', { class: 'quiet' }, part.what)))))
}
