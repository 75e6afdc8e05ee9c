// A page of text with the bar of the service: the documentation, and what ways in for programs say to people.
import type { Context } from 'koa'
import { Html, html, PAGE_ICON } from './html.ts'
import { pageHeaders } from './security_headers.ts'
import { heldPage, type StaticFile, sendStatic } from './static_file.ts'

/** The documentation serves it. */
export const TEXT_PAGE_STYLE = '/docs/docs.css'

/** No script, no inline style. */
export const TEXT_PAGE_HEADERS = pageHeaders({
  'script-src': "'none'",
  'img-src': "'self'",
  'font-src': "'none'",
  'connect-src': "'none'",
  'manifest-src': "'none'",
})

/** @param page held, or made for this answer alone */
export async function sendTextPage(ctx: Context, page: Html | StaticFile): Promise<void> {
  ctx.set(TEXT_PAGE_HEADERS)
  await sendStatic(ctx, page instanceof Html ? heldPage(page, 'answer') : page)
}

export interface TextPage {
  readonly title: string
  readonly main: Html
  readonly description?: string | undefined
  /** The address under which search engines keep the page. They keep none without one. */
  readonly canonical?: string
  /** The address of the place in the bar where the page belongs. */
  readonly place?: string
  /** Stands in the bar behind the places. */
  readonly bar?: Html
  /** Stands beside the page. */
  readonly aside?: Html
}

const PLACES = [
  { href: '/docs', name: 'Documentation' },
  { href: '/api/json/redoc', name: 'API reference' },
  { href: '/', name: 'Console' },
] as const

export const textPage = ({
  title,
  main,
  description,
  canonical,
  place,
  bar,
  aside,
}: TextPage): Html => html`<!doctype html>
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
<link rel="stylesheet" href="${TEXT_PAGE_STYLE}">
</head>
<body>
<a class="skip-link" href="#docs-content">Skip to the content</a>
<header class="bar"><div class="bar-inner">
<a class="brand" href="/">${LIGHTHOUSE}<span>Pharos</span></a>
<nav class="places" aria-label="Places">
${PLACES.map(({ href, name }) => html`<a href="${href}"${href === place && html` aria-current="true"`}>${name}</a>\n`)}</nav>
${bar}
</div></header>
<div class="${aside === undefined ? 'sheet' : 'sheet with-list'}">
<main id="docs-content" tabindex="-1">
${main}
</main>
${aside}
</div>
</body>
</html>
`

/** As the console has it in its bar. */
const LIGHTHOUSE = html`<svg class="lighthouse" viewBox="0 0 48 48" aria-hidden="true" focusable="false">
<path class="lighthouse-beam" d="M25 12.5 47 5v15z"/><path class="lighthouse-beam faint" d="M19 12.5 1 7.5v10z"/>
<path class="lighthouse-tower" d="M18.6 20h6.8l3.6 23H15z"/><path class="lighthouse-band" d="M17.7 26h8.6l.95 6h-10.5z"/>
<path class="lighthouse-tower" d="M16.5 17.2h11v2.8h-11zM17.5 8.6 22 4l4.5 4.6z"/>
<rect class="lighthouse-lamp" x="18.6" y="8.6" width="6.8" height="8.6" rx="1"/><path class="lighthouse-tower" d="M10 43h24v2H10z"/>
</svg>`
