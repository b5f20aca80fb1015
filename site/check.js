// Opens every page of the built site in Chromium. Fails on a broken link or anchor, an error on the console, a page that is
// missing or that nothing links to, and a search that does not find what it should. With a folder as argument, it leaves
// screenshots there: wide and narrow, light and dark.
import fs from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import { chromium } from 'playwright-core'
import { pages } from './.vitepress/pages.js'

const site = path.join(import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname), 'target/site')
const base = process.env.SITE_BASE ?? '/'
const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium'
if (!fs.existsSync(executablePath)) {
  console.error(`site/check: no ${executablePath}; install chromium, or say where it is by CHROMIUM`)
  process.exit(3)
}
if (!fs.existsSync(site)) {
  console.error('site/check: nothing is built; run site/build')
  process.exit(2)
}

const kinds = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.json': 'application/json',
  '.svg': 'image/svg+xml', '.png': 'image/png' }

/** The file of an address on the site; undefined if there is none. */
function fileOf(pathname) {
  let file = decodeURIComponent(pathname)
  if (!file.startsWith(base)) return undefined
  if (file.endsWith('/')) file += 'index.html'
  file = path.join(site, file.slice(base.length))
  return file.startsWith(site) && fs.statSync(file, { throwIfNoEntry: false })?.isFile() ? file : undefined
}

const server = http.createServer((request, response) => {
  // a browser asks for it by itself, for pages without an icon, as javadoc's are
  if (request.url === '/favicon.ico') return response.writeHead(204).end()
  const file = fileOf(new URL(request.url, 'http://site').pathname)
  response.writeHead(file === undefined ? 404 : 200, { 'Content-Type': kinds[path.extname(file ?? '.html')] ?? 'text/plain' })
  response.end(file === undefined ? 'no such page' : fs.readFileSync(file))
})
await new Promise(listening => server.listen(0, '127.0.0.1', listening))
const origin = `http://127.0.0.1:${server.address().port}`

const faults = []
const fault = text => faults.includes(text) || (faults.push(text), console.error(text))
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--disable-quic',
  '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'] })

async function tab(options) {
  const tab = await browser.newPage(options)
  tab.setDefaultTimeout(60_000)
  tab.on('console', message => ['error', 'warning'].includes(message.type()) && fault(`${tab.url()}: ${message.text()}`))
  tab.on('pageerror', error => fault(`${tab.url()}: ${error.message}`))
  tab.on('requestfailed', request => request.failure()?.errorText !== 'net::ERR_ABORTED'
    && fault(`${tab.url()}: ${request.url()}: ${request.failure()?.errorText}`))
  // what the page fetches ahead for links in view is not under test, and takes the time of a load
  await tab.addInitScript(() => { Object.defineProperty(navigator, 'connection', { value: { saveData: true } }) })
  return tab
}

// every page, what it links to, and where one can link to in it
const expected = new Set([...pages.values()].map(page => base + page.replace(/md$/, 'html')))
const anchors = new Map()
const links = []
const viewer = await tab({ viewport: { width: 390, height: 844 } })
const waiting = [...expected]
for (const pathname of waiting) {
  if (fileOf(pathname) === undefined) {
    fault(`${pathname}: is missing`)
    continue
  }
  await viewer.goto(origin + pathname)
  await viewer.waitForFunction(() => document.querySelector('#app')?.__vue_app__ !== undefined)
  const seen = await viewer.evaluate(() => ({
    ids: [...document.querySelectorAll('[id]')].map(element => element.id),
    links: [...document.querySelectorAll('a[href]')].map(element => element.href),
    tooWide: document.documentElement.scrollWidth > window.innerWidth,
  }))
  anchors.set(pathname, new Set(seen.ids))
  if (seen.tooWide) fault(`${pathname}: is wider than a phone`)
  for (const link of new Set(seen.links)) links.push([pathname, new URL(link)])
}

// for programs: each link of the list leads to a page, and the whole text has it too
const list = fs.readFileSync(path.join(site, 'llms.txt'), 'utf8')
const whole = fs.readFileSync(path.join(site, 'llms-full.txt'), 'utf8')
const entries = [...list.matchAll(/^- \[(.*)\]\((.*)\): \S/gm)]
if (entries.length < 50 || entries.length !== list.split('\n- ').length - 1) fault(`llms.txt: ${entries.length} pages`)
for (const [, , pathname] of entries) {
  const file = fileOf(pathname)
  if (file === undefined) fault(`llms.txt: links to ${pathname}, which is missing`)
  else if (!whole.includes(fs.readFileSync(file, 'utf8').trim())) fault(`llms-full.txt: lacks ${pathname}`)
}

const linked = new Set()
for (const [from, to] of links) {
  if (to.origin !== origin) continue
  const pathname = to.pathname.endsWith('/') ? `${to.pathname}index.html` : to.pathname
  if (pathname !== from) linked.add(pathname)
  if (fileOf(pathname) === undefined) fault(`${from}: links to ${to.pathname}, which is missing`)
  else if (to.hash !== '' && anchors.has(pathname) && !anchors.get(pathname).has(decodeURIComponent(to.hash.slice(1)))
    && !anchors.get(pathname).has(to.hash.slice(1))) {
    fault(`${from}: links to ${to.pathname}${to.hash}, and there is no such anchor`)
  }
}
for (const pathname of expected) if (!linked.has(pathname)) fault(`${pathname}: nothing links to it`)

// the search
await viewer.close()
const reader = await tab({ viewport: { width: 1280, height: 900 } })
await reader.goto(`${origin}${base}`)
await reader.waitForFunction(() => document.querySelector('#app')?.__vue_app__ !== undefined)
await reader.keyboard.press('Control+k')
const results = reader.locator('.VPLocalSearchBox .result')
for (const [words, page] of [['scope', 'scopes'], ['jdbc', 'jdbc'], ['cancellation', 'cancellation'], ['pool', 'pool'], ['deployment', 'deployment'],
  ['CompletableFuture', 'moving'], ['deadlock', 'deadlock']]) {
  await reader.locator('#localsearch-input').fill(words)
  // those of the words before are shown for a moment
  const wanted = reader.locator(`.VPLocalSearchBox li:first-child .result[href*="/guide/${page}."]`)
  await wanted.waitFor({ timeout: 10_000 }).catch(async () =>
    fault(`the search for "${words}" finds ${await results.first().getAttribute('href')} first, not guide/${page}`))
}
await reader.keyboard.press('Enter')
await reader.waitForURL(/guide\/deadlock/)

// the javadoc, which has links and a search of its own
if (fs.existsSync(path.join(site, 'api'))) {
  await reader.goto(`${origin}${base}guide/`)
  await reader.locator('.VPNavBarMenu a', { hasText: 'API' }).click()
  await reader.locator('a', { hasText: 'org.trueasync.http' }).first().click()
}

const shots = process.argv[2]
if (shots !== undefined) {
  fs.mkdirSync(shots, { recursive: true })
  for (const colorScheme of ['light', 'dark']) {
    for (const width of [390, 1280]) {
      const camera = await tab({ viewport: { width, height: 900 }, colorScheme })
      for (const name of ['index', 'guide/index', 'guide/deadlock', 'decisions/index', 'http-requests', 'benchmarks']) {
        await camera.goto(`${origin}${base}${name}.html`)
        await camera.waitForLoadState('networkidle')
        await camera.screenshot({ path: path.join(shots, `${name.replace('/', '-')}-${width}-${colorScheme}.png`),
          fullPage: name === 'index' })
      }
      await camera.close()
    }
  }
}

await browser.close()
server.close()
console.log(`${anchors.size} pages, ${links.length} links, ${faults.length} faults`)
process.exitCode = faults.length > 0 ? 1 : 0
