// Small drawings of numbers over time.

const SVG = 'http://www.w3.org/2000/svg'
const MINUTES = 5
const HEIGHT = 132
const BASE = 108
const TOP = 16

/** Makes an element with attributes and children. What is no element becomes text: nothing is ever taken as HTML. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
  made.append(...children)
  return made
}

export function drawn(name, attributes, ...children) {
  const made = document.createElementNS(SVG, name)
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
  made.append(...children)
  return made
}

/** A line of values, the last one at the right; min is the largest value that the scale ends at the least. */
export function spark(svg, values, min) {
  const slots = 60
  const last = values.slice(-slots)
  const top = Math.max(min, ...last)
  const points = last.map((value, i) => `${slots - last.length + i},${(20 - 18 * value / top).toFixed(2)}`)
  svg.setAttribute('class', 'spark')
  svg.setAttribute('viewBox', `0 0 ${slots - 1} 21`)
  svg.setAttribute('preserveAspectRatio', 'none')
  svg.setAttribute('aria-hidden', 'true')
  const begin = slots - last.length
  svg.replaceChildren(
    drawn('path', { d: points.length < 2 ? '' : `M${begin},21 L${points.join(' L')} L${slots - 1},21 Z` }),
    drawn('polyline', { points: points.join(' ') }))
}

export function newSpark() {
  return drawn('svg', {})
}

/** The last minutes of a loop: how busy it was, for how much of each second it was held, and the holds. */
export function timeline(svg, points, holds, now) {
  const width = svg.clientWidth
  if (width === 0) return
  const x = time => width - (now - time) / (MINUTES * 60_000) * width
  const y = share => BASE - Math.min(1, share) * (BASE - TOP)
  svg.setAttribute('viewBox', `0 0 ${width} ${HEIGHT}`)
  const parts = []
  for (const share of [0.5, 1]) {
    parts.push(drawn('line', { class: 'grid', x1: 0, x2: width, y1: y(share), y2: y(share) }))
    parts.push(drawn('text', { x: 6, y: y(share) - 3 }, `${100 * share} %`))
  }
  parts.push(drawn('line', { class: 'grid', x1: 0, x2: width, y1: BASE, y2: BASE }))
  for (let minute = 0; minute < MINUTES; minute++) {
    const at = x(now - minute * 60_000)
    parts.push(drawn('text', { x: at - 4, y: HEIGHT - 8, 'text-anchor': 'end' }, minute === 0 ? 'now' : `${minute} min ago`))
  }
  const shown = points.filter(point => now - point.time <= MINUTES * 60_000 + 2_000)
  // where the process was not asked, nothing is drawn
  let run = []
  const runs = [run]
  for (const point of shown) {
    if (run.length > 0 && point.time - run.at(-1).time > 5_000) runs.push(run = [])
    run.push(point)
  }
  for (const part of runs.filter(part => part.length > 1)) {
    const edge = part.map(point => `${x(point.time).toFixed(1)},${y(point.busy).toFixed(1)}`).join(' ')
    parts.push(drawn('polygon', { class: 'busy', points: `${x(part[0].time)},${BASE} ${edge} ${x(part.at(-1).time)},${BASE}` }))
    parts.push(drawn('polyline', { class: 'edge', points: edge }))
    for (let i = 1; i < part.length; i++) {
      if (part[i].held <= 0) continue
      const from = x(part[i - 1].time)
      parts.push(drawn('rect', { class: 'held', x: from, width: Math.max(1.5, x(part[i].time) - from - 0.5),
        y: y(part[i].held), height: BASE - y(part[i].held) }))
    }
  }
  for (const hold of holds) {
    const at = x(hold.begin)
    if (at < 0) continue
    parts.push(drawn('path', { class: 'hold', d: `M${at - 5},2 h10 l-5,8 z` },
      drawn('title', {}, `${time(hold.millis)} by ${hold.holder}\n${hold.place}`)))
  }
  svg.replaceChildren(...parts)
}

/** A time for a person to read. */
export function time(millis) {
  if (millis < 1_000) return `${Math.round(millis)} ms`
  if (millis < 60_000) return `${(millis / 1_000).toFixed(1)} s`
  const minutes = Math.floor(millis / 60_000)
  if (minutes < 60) return `${minutes} min ${Math.floor(millis / 1_000 % 60)} s`
  return minutes < 48 * 60 ? `${Math.floor(minutes / 60)} h ${minutes % 60} min` : `${Math.floor(minutes / 1_440)} days`
}

const format = new Intl.NumberFormat('en')

export function count(number) {
  return format.format(number)
}
