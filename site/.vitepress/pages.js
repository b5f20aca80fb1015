// Which files are pages, where they are on the site, and in which order a reader meets them.
import fs from 'node:fs'
import path from 'node:path'

export const root = path.resolve(import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname), '../..')
export const staged = path.join(root, 'site/target/pages')

const read = file => fs.readFileSync(path.join(root, file), 'utf8')

function files(folder) {
  return fs.readdirSync(path.join(root, folder), { withFileTypes: true })
    .filter(entry => entry.name !== 'target')
    .flatMap(entry => entry.isDirectory() ? files(`${folder}/${entry.name}`) : [`${folder}/${entry.name}`])
    .sort()
}

/** From a file of the repository to its page, both as paths without a slash at the beginning. */
export const pages = new Map([
  ['site/index.md', 'index.md'],
  ['README.md', 'index.md'],
  ...files('docs').filter(file => file.endsWith('.md'))
    .map(file => [file, file.slice('docs/'.length).replace(/README\.md$/, 'index.md')]),
  ['bench/README.md', 'benchmarks.md'],
  ['CHANGELOG.md', 'changelog.md'],
  ['CONTRIBUTING.md', 'contributing.md'],
  ['SECURITY.md', 'security.md'],
  ['LICENSE', 'license.md'],
  ['examples', 'examples.md'],
])

const fence = (file, text) => `\`\`\`\`${path.extname(file).slice(1) || 'text'}\n${text.trimEnd()}\n\`\`\`\`\n`

const isShown = file => !file.includes('src/test/') && /\.(java|properties|sql)$/.test(file)

/** The programs of examples, on one page. */
function examples() {
  const section = file => `## ${file.slice('examples/'.length)}\n\n${fence(file, read(file))}`
  return `# Examples\n\nRun one with \`bin/trueasync run examples/NAME.java\`.\n\n${files('examples').filter(isShown).map(section).join('\n')}`
}

/** Ours, and those of what the built site contains. */
function licences() {
  const notices = ['vitepress', 'vue', '@vueuse/core', 'minisearch', 'focus-trap', 'tabbable', 'mark.js'].map(name => {
    const folder = `site/node_modules/${name}`
    const file = fs.readdirSync(path.join(root, folder)).find(file => /^licen[cs]e/i.test(file))
    return `## ${name}, in this site\n\n${fence('', read(`${folder}/${file}`))}`
  })
  return `# Licences\n\n## TrueAsync\n\n${fence('', read('LICENSE'))}\n${notices.join('\n')}`
}

/** Copies the pages, and the images beside them, to where the generator reads them, as they are. */
export function stage() {
  fs.rmSync(staged, { recursive: true, force: true })
  for (const [file, page] of pages) {
    if (file === 'README.md') continue
    const to = path.join(staged, page)
    fs.mkdirSync(path.dirname(to), { recursive: true })
    fs.writeFileSync(to, file === 'examples' ? examples() : file === 'LICENSE' ? licences() : read(file))
  }
  for (const file of files('docs').filter(file => /\.(png|svg)$/.test(file)))
    fs.copyFileSync(path.join(root, file), path.join(staged, file.slice('docs/'.length)))
  stageForPrograms()
}

/** For programs that read (https://llmstxt.org): a list of the pages, each of these as it is, and all of them as one text. */
function stageForPrograms() {
  const write = (name, text) => {
    const to = path.join(staged, 'public', name)
    fs.mkdirSync(path.dirname(to), { recursive: true })
    fs.writeFileSync(to, text)
  }
  const groups = [['Guide', ordered('docs/guide').flatMap(group => group.files)],
    ['Course', ordered('docs/course').flatMap(group => group.files)], ['Terms', ['docs/glossary.md']]]
  const summary = /^(?:# .*\n+)(.+(?:\n.+)*)/m
  const sentence = file => /^.*?\.(?=\s|$)|^.*/.exec(summary.exec(read(file))[1].replaceAll('\n', ' ').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1'))[0]
  const entry = file => `- [${title(file)}](${process.env.SITE_BASE ?? '/'}${pages.get(file)}): ${sentence(file)}`
  const head = `# TrueAsync for Java\n\n> ${summary.exec(read('README.md'))[1].split('. ')[0].replaceAll('\n', ' ')}.\n`
  const lists = groups.map(([name, files]) => `\n## ${name}\n\n${files.map(entry).join('\n')}\n`)
  write('llms.txt', `${head}\nAll of these pages as one text: ${process.env.SITE_BASE ?? '/'}llms-full.txt\n${lists.join('')}`)
  const all = groups.flatMap(([, files]) => files)
  write('llms-full.txt', `${head}\n${all.map(file => read(file).trim()).join('\n\n')}\n`)
  for (const file of all) write(pages.get(file), read(file))
}

/** A link as it stands in a file, as a link of the site. */
export function linkOnSite(page, href) {
  if (/^[a-z]+:|^#|^\//i.test(href)) return href
  const from = [...pages].find(([file, itsPage]) => itsPage === page && file !== 'README.md')?.[0]
  if (from === undefined) throw new Error(`${page} is no page of the site`)
  const [name, anchor] = href.split('#')
  const file = path.posix.join(path.posix.dirname(from), decodeURI(name)).replace(/\/$/, '')
  const target = pages.get(file)
  if (target !== undefined) return `/${target}${anchor === undefined ? '' : `#${anchor}`}`
  if (file.startsWith('examples/') && fs.existsSync(path.join(root, file))) {
    const shown = fs.statSync(path.join(root, file)).isDirectory() ? files(file).find(isShown) : file
    return `/examples.md#${anchorOf(shown.slice('examples/'.length))}`
  }
  throw new Error(`${from} links to ${href}, which is no page; add it to site/.vitepress/pages.js or mend the link`)
}

/** The anchor of a heading, as forges make it. */
export const anchorOf = heading =>
  encodeURIComponent(heading.trim().toLowerCase().replace(/[^\p{L}\p{N}\p{M}_ -]/gu, '').replaceAll(' ', '-'))

const title = file => /^# (.*)$/m.exec(read(file))[1].replaceAll('`', '')
const link = file => `/${pages.get(file).replace(/(^|\/)index\.md$/, '$1').replace(/\.md$/, '')}`
const item = file => ({ text: title(file), link: link(file) })

/** What an index page lists of its own folder, in its order, under its headings; a page that it leaves out is an error. */
function ordered(folder) {
  const groups = [{ text: undefined, files: [] }]
  const seen = new Set()
  const index = read(`${folder}/README.md`)
  const list = index.slice(index.search(/^(## |1\. |\|)/m))
  for (const [, heading, name] of list.matchAll(/^## (.*)$|\]\(([\w-]+(?:\/[\w-]+)?\.md)[)#]/gm)) {
    const file = `${folder}/${name}`
    if (heading !== undefined) groups.push({ text: heading, files: [] })
    else if (pages.has(file) && !seen.has(file)) groups.at(-1).files.push(file) && seen.add(file)
  }
  const missing = files(folder).filter(file => pages.has(file) && !seen.has(file) && !file.endsWith('README.md'))
  if (missing.length > 0) throw new Error(`${folder}/README.md has no link to ${missing.join(', ')}`)
  return groups.filter(group => group.files.length > 0)
}

const start = (text, link) => ({ text, link })

export function sidebar() {
  const guide = ordered('docs/guide').map(({ text, files }) => ({ text, items: files.map(item) }))
  const decisions = ordered('docs/decisions').map(({ text, files }) =>
    ({ text, collapsed: true, items: files.sort().reverse().map(item) }))
  const reference = ['docs/glossary.md', 'docs/http-requests.md', 'docs/reliability.md', 'docs/threat-model.md', 'docs/found-in-others.md',
    'bench/README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md']
  const chapters = ordered('docs/course').flatMap(({ files }) => files.map(item))
  return {
    '/course/': [start('Course', '/course/'), { text: 'Chapters', items: chapters }],
    '/guide/': [start('Guide', '/guide/'), ...guide],
    '/architecture/': [start('Architecture', '/architecture/'), ...ordered('docs/architecture').map(group =>
      ({ text: 'Pages', items: group.files.map(item) }))],
    '/decisions/': [start('Decisions', '/decisions/'), ...decisions],
    '/': [{ text: 'Reference', items: [...reference.map(item), start('Examples', '/examples'), start('Licences', '/license')] }],
  }
}
