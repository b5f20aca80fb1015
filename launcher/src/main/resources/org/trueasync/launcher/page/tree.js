// Shows the tree, as far as it is open. The worker in groups.js reads it, and searches in it.
import { count, element, time } from './charts.js'

const MORE = 200

export class Tree {
  #worker = new Worker('groups.js', { type: 'module' })
  #answered = () => {}
  #limits = new Map()
  #open = new Set()
  #closed = new Set()
  #seen
  #isShown = false
  #isAsked = false
  #wasRead = false
  #asked

  /** Calls seen with each runtime that was read. */
  constructor(section, seen) {
    this.#seen = seen
    this.at = id => section.querySelector(`#${id}`)
    this.#worker.onmessage = ({ data }) => this.#take(data)
    new IntersectionObserver(entries => {
      this.#isShown = entries.at(-1).isIntersecting
      if (this.#isShown && !this.#wasRead) this.#read()
    }).observe(section)
    this.at('filter').addEventListener('submit', event => {
      event.preventDefault()
      this.#read()
    })
    this.at('filter').addEventListener('input', event => {
      if (event.target.id !== 'again') this.#ask({})
    })
    this.at('scopes').addEventListener('toggle', event => this.#toggled(event.target), true)
    this.at('scopes').addEventListener('click', event => this.#clicked(event.target))
  }

  /** Reads it anew, if somebody looks at it. */
  async readIfShown() {
    if (this.#isShown && this.at('again').checked) await this.#read()
  }

  #read() {
    // one that is under way is as good
    this.#asked ??= new Promise(answered => {
      this.#wasRead = true
      this.at('read').textContent = this.at('scopes').hasChildNodes() ? this.at('read').textContent : 'reading …'
      this.#answered = answered
      this.#ask({ read: true })
    }).finally(() => { this.#asked = undefined })
    return this.#asked
  }

  #ask(what) {
    this.#worker.postMessage({ ...what, text: this.at('text').value, state: this.at('in-state').value,
      kind: this.at('kind').value, limits: this.#limits, open: this.#open })
  }

  #take({ read, view, error }) {
    if (error !== undefined) this.at('read').textContent = `could not be read: ${error}`
    else {
      this.#show(view)
      if (read !== undefined) {
        view.runtimes.forEach(this.#seen)
        this.at('read').textContent = `${count(view.all)} coroutines, read in ${time(read)}`
      }
    }
    if (error !== undefined || read !== undefined) this.#answered()
  }

  #show(view) {
    options(this.at('in-state'), 'every state', view.states)
    options(this.at('kind'), 'every wait', view.kinds)
    const focus = document.activeElement?.closest('#scopes [data-key]')?.dataset.key
    const places = new Map([...this.at('scopes').querySelectorAll('.members')].map(list =>
      [list.closest('[data-key]').dataset.key, list.scrollTop]))
    const parts = []
    for (const runtime of view.runtimes) {
      if (view.runtimes.length > 1) parts.push(element('h3', {}, `Runtime '${runtime.name}'`))
      if (runtime.unread !== null) parts.push(element('p', { class: 'problem' }, runtime.unread))
      const inside = new Map()
      for (const scope of runtime.scopes) {
        const made = this.#scope(scope)
        inside.set(scope.id, made.lastChild)
        const above = inside.get(scope.parent)
        if (above === undefined) parts.push(made)
        else above.append(made)
      }
      if (runtime.more > 0) parts.push(rest(runtime.name, `${count(runtime.more)} more scopes`))
      if (runtime.scopes.length === 0 && runtime.unread === null) parts.push(element('p', { class: 'quiet' }, 'None is like that.'))
    }
    this.at('scopes').replaceChildren(...parts)
    for (const [key, top] of places) {
      const list = byKey(this.at('scopes'), key)?.querySelector('.members')
      if (list) list.scrollTop = top
    }
    if (focus !== undefined) (byKey(this.at('scopes'), focus)?.querySelector('summary, button')
      ?? byKey(this.at('scopes'), focus))?.focus({ preventScroll: true })
  }

  #scope({ key, title, text, matching, all, groups, more }) {
    const number = matching === all ? count(all) : `${count(matching)} of ${count(all)}`
    const inside = element('div', { class: 'in' }, ...groups.map(group => this.#row(group)))
    if (more > 0) inside.append(rest(key, `${count(more)} more different ones`))
    return element('details', { class: 'scope', 'data-key': key, ...(this.#closed.has(key) ? {} : { open: '' }) },
      element('summary', { title: text }, title, element('span', { class: 'quiet' }, number)), inside)
  }

  #row(group) {
    const name = element('span', { class: 'name' })
    if (group.size > 1) name.append(element('span', { class: 'count' }, `${count(group.size)} × `), group.title)
    else name.append(element('span', { class: 'quiet' }, `#${group.id} `), group.title)
    name.title = name.textContent
    const since = group.since === null ? '' : group.size === 1 || time(group.since[0]) === time(group.since[1])
      ? time(group.since[1]) : `${time(group.since[0])} to ${time(group.since[1])}`
    const details = element('details', { class: 'row', 'data-key': group.key },
      element('summary', {}, name,
        element('span', { class: 'quiet' }, group.state + (group.cancelled ? ', cancelled' : '') + (group.zombie ? ', zombie' : '')),
        element('span', { class: 'awaits' }, group.awaits.join('; ') || group.suspended || ''),
        element('span', { class: 'number quiet since' }, since)))
    if (this.#open.has(group.key)) {
      details.setAttribute('open', '')
      details.append(this.#more(group))
    }
    return details
  }

  #more(group) {
    const more = element('div', { class: 'more' })
    more.append(group.main ? 'main' : `spawned ${group.spawned}`, group.suspended === null ? '' : `, suspended ${group.suspended}`)
    if (group.size === 1 && group.onlyEndedBy.length > 0) {
      more.append('; only these can end its wait:')
      for (const id of group.onlyEndedBy)
        more.append(' ', element('button', { class: 'rest', type: 'button', 'data-find': `#${id}` }, `#${id}`))
    }
    if (group.frames.length > 0) more.append(element('pre', {}, group.frames.map(frame => `at ${frame}`).join('\n')))
    if (group.members.length > 0) {
      more.append(element('ul', { class: 'members', tabindex: 0 }, ...group.members.map(one => element('li', {},
        element('span', {}, `#${one.id} ${one.title}`), element('span', {}, one.awaits.join('; ')),
        element('span', { class: 'number' }, one.sinceMillis === null ? '' : time(one.sinceMillis))))))
      if (group.size > group.members.length) more.append(rest(group.key, `${count(group.size - group.members.length)} more`))
    }
    return more
  }

  #toggled(details) {
    const key = details.dataset.key
    if (details.classList.contains('scope')) {
      if (details.open) this.#closed.delete(key)
      else this.#closed.add(key)
    } else if (details.open !== this.#open.has(key)) {
      if (details.open) this.#open.add(key)
      else this.#open.delete(key)
      this.#ask({})
    }
  }

  #clicked(target) {
    if (target.dataset.more !== undefined) {
      this.#limits.set(target.dataset.more, (this.#limits.get(target.dataset.more) ?? 100) + MORE)
      this.#ask({})
    } else if (target.dataset.find !== undefined) {
      this.at('text').value = target.dataset.find
      this.at('in-state').value = this.at('kind').value = ''
      this.#ask({})
    }
  }
}

function byKey(within, key) {
  return [...within.querySelectorAll('[data-key]')].find(one => one.dataset.key === key)
}

function rest(key, text) {
  return element('button', { class: 'rest', type: 'button', 'data-more': key, 'data-key': `more ${key}` }, text)
}

/** What can be chosen, with how many there are; the choice stays, also if there is none at the moment. */
function options(select, every, counts) {
  const chosen = select.value
  const names = counts.map(([name]) => name)
  if (chosen !== '' && !names.includes(chosen)) counts = [...counts, [chosen, 0]]
  const text = JSON.stringify(counts)
  if (select.dataset.text === text) return
  select.dataset.text = text
  select.replaceChildren(element('option', { value: '' }, every),
    ...counts.map(([name, number]) => element('option', { value: name }, `${name} (${count(number)})`)))
  select.value = chosen
}
