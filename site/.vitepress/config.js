import { defineConfig } from 'vitepress'
import { anchorOf, linkOnSite, sidebar, stage } from './pages.js'

stage()
const more = sidebar()['/'][0].items

/** Links between files become links between pages; outside of the front page, angle brackets and braces are text. */
function asOnTheForge(md) {
  md.core.ruler.after('inline', 'links', ({ tokens, env }) => {
    for (const token of tokens.flatMap(token => token.children ?? [])) {
      if (token.type === 'link_open') token.attrSet('href', linkOnSite(env.relativePath, token.attrGet('href')))
    }
  })
  for (const rule of ['html_inline', 'html_block']) {
    md.renderer.rules[rule] = (tokens, i, options, env) =>
      env.relativePath === 'index.md' ? tokens[i].content : md.utils.escapeHtml(tokens[i].content)
  }
  md.renderer.rules.text = (tokens, i) => md.utils.escapeHtml(tokens[i].content).replaceAll('{{', '&#123;&#123;')
}

export default defineConfig({
  title: 'TrueAsync for Java',
  description: 'Ordinary blocking Java code, as thousands of coroutines on one thread.',
  lang: 'en',
  base: process.env.SITE_BASE ?? '/',
  srcDir: 'target/pages',
  // served as they are
  srcExclude: ['public/**'],
  outDir: 'target/site',
  cacheDir: 'target/cache',
  head: [['link', { rel: 'icon', href: "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'>"
    + "<circle cx='8' cy='8' r='6' fill='none' stroke='%230d7a70' stroke-width='3' stroke-dasharray='27 11'/></svg>" }]],
  // the search's index is one file, fetched when it is first needed
  vite: { build: { chunkSizeWarningLimit: 2000 } },
  markdown: {
    anchor: { slugify: anchorOf },
    config: asOnTheForge,
    languageAlias: { stderr: 'log' },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-default' },
  },
  themeConfig: {
    nav: [
      { text: 'Guide', link: '/guide/', activeMatch: '^/guide/' },
      { text: 'Course', link: '/course/', activeMatch: '^/course/' },
      { text: 'Architecture', link: '/architecture/', activeMatch: '^/architecture/' },
      { text: 'Decisions', link: '/decisions/', activeMatch: '^/decisions/' },
      // made by javadoc, not by the generator: the browser loads it afresh
      ...(process.env.SITE_API ? [{ text: 'API', link: '/api/index.html', target: '_self' }] : []),
      { text: 'More', items: more },
    ],
    sidebar: sidebar(),
    outline: { level: [2, 3] },
    externalLinkIcon: true,
    search: {
      provider: 'local',
      options: {
        miniSearch: {
          searchOptions: {
            // who searches wants to know how to do something, then how it works, then why it is so
            // (a page before the sections of another one)
            boostDocument: (id, term, { titles }) =>
              (id.includes('/guide/messages') ? 1 : id.includes('/guide/') ? 6 : id.includes('/architecture/') ? 1 : 0.5) * (titles.length === 0 ? 1.5 : 1),
          },
        },
      },
    },
  },
})
