// The layout that all pages of the documentation share: the bar, the search, and the list of articles.
import { type Html, html, PAGE_ICON } from '../http/html.ts'
import { articlePath, DOCS_PATH, DOCS_STYLE, type Section } from './sections.ts'

/** In characters. More words narrow nothing. */
export const LONGEST_QUERY = 200

interface DocsPage {
  readonly title: string
  readonly main: Html
  readonly description?: string | undefined
  /** The address under which search engines keep the page. They keep none without one. */
  readonly canonical?: string
  /** Shown beside an article. */
  readonly list?: { readonly sections: readonly Section[]; readonly slug: string }
}

/** No script, no inline style: the policy of these pages allows neither. */
export const layout = ({ title, main, description, canonical, list }: DocsPage): Html => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" media="(prefers-color-scheme: light)" content="#eef1f3">
<meta name="theme-color" media="(prefers-color-scheme: dark)" content="#0a111c">
<title>${title} · Pharos</title>
${description !== undefined && html`<meta name="description" content="${description}">`}
${
  canonical === undefined
    ? html`<meta name="robots" content="noindex">`
    : html`<link rel="canonical" href="${canonical}">`
}
<link rel="icon" type="image/svg+xml" href="${PAGE_ICON}">
<link rel="stylesheet" href="${DOCS_STYLE}">
</head>
<body>
<a class="skip-link" href="#docs-content">Skip to the content</a>
<header class="bar"><div class="bar-inner">
<a class="brand" href="/">${LIGHTHOUSE}<span>Pharos</span></a>
<nav class="places" aria-label="Places">
<a href="${DOCS_PATH}" aria-current="true">Documentation</a>
<a href="/api/json/redoc">API reference</a>
<a href="/">Console</a>
</nav>
${list !== undefined && searchForm('')}
</div></header>
<div class="${list === undefined ? 'sheet' : 'sheet with-list'}">
<main id="docs-content" tabindex="-1">
${main}
</main>
${list !== undefined && listOf(list)}
</div>
</body>
</html>
`

/** A plain form: its words stand in the address of the page that answers. */
export const searchForm = (
  query: string,
): Html => html`<form class="search" role="search" action="${DOCS_PATH}">
<label for="docs-query">Search the documentation</label>
<input id="docs-query" name="q" type="search" value="${query}" maxlength="${LONGEST_QUERY}" required placeholder="Search">
<button type="submit">Search</button>
</form>`

const listOf = ({ sections, slug: shown }: NonNullable<DocsPage['list']>): Html =>
  html`<nav class="list" aria-label="Articles">
${sections.map(
  ({ title, articles }) => html`<h2>${title}</h2>
<ul>
${articles.map(
  ({ slug, title }) =>
    html`<li><a href="${articlePath(slug)}"${slug === shown && html` aria-current="page"`}>${title}</a></li>\n`,
)}</ul>
`,
)}</nav>`

/** As the console has it in its bar. */
const LIGHTHOUSE = html`<svg class="lighthouse" viewBox="0 0 48 48" aria-hidden="true" focusable="false">
<path class="beam" d="M25 12.5 47 5v15z"/><path class="beam faint" d="M19 12.5 1 7.5v10z"/>
<path class="tower" d="M18.6 20h6.8l3.6 23H15z"/><path class="band" d="M17.7 26h8.6l.95 6h-10.5z"/>
<path class="tower" d="M16.5 17.2h11v2.8h-11zM17.5 8.6 22 4l4.5 4.6z"/>
<rect class="lamp" x="18.6" y="8.6" width="6.8" height="8.6" rx="1"/><path class="tower" d="M10 43h24v2H10z"/>
</svg>`
