// Pages without a script framework: an escaping template and the layout that all of them share.

/** Markup that is safe to send. Only `html` and `page` make it. */
export class Html {
  readonly markup: string
  constructor(markup: string) {
    this.markup = markup
  }
}

/** Text is escaped, markup is inserted as it is, lists are joined, and what is absent leaves nothing. */
export type Inserted = string | number | Html | readonly Inserted[] | undefined | false

/**
 * Escapes every inserted text for element content and for quoted attributes. Attributes must be in double quotes.
 * e.g. html`<p title="${name}">${name}</p>`
 */
export const html = (parts: TemplateStringsArray, ...inserted: readonly Inserted[]): Html =>
  new Html(parts.reduce((markup, part, at) => `${markup}${markupOf(inserted[at - 1])}${part}`))

function markupOf(value: Inserted): string {
  if (value === undefined || value === false) return ''
  if (value instanceof Html) return value.markup
  if (typeof value === 'object') return value.map(markupOf).join('')
  return String(value).replace(UNSAFE, (character) => ESCAPED[character] ?? '')
}

/** The quotes too, because the same function serves attributes. */
const UNSAFE = /[&<>"'`]/g
const ESCAPED: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
}

/** Where the files of the pages are served. */
export const PAGE_FILES = {
  style: '/oauth/pages.css',
  icon: '/oauth/lighthouse.svg',
  linkScript: '/oauth/link.js',
} as const

export interface PageParts {
  /** The heading, and the title of the browser's tab. */
  readonly title: string
  readonly body: Html
  /** One of our own files. It runs after the page was read. */
  readonly script?: (typeof PAGE_FILES)[keyof typeof PAGE_FILES]
}

/** The whole document. It has no inline style and no inline script, so that the strict content policy holds. */
export const page = ({ title, body, script }: PageParts): Html => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title} · Pharos</title>
<link rel="icon" type="image/svg+xml" href="${PAGE_FILES.icon}">
<link rel="stylesheet" href="${PAGE_FILES.style}">
${script !== undefined && html`<script src="${script}" defer></script>`}
</head>
<body>
<main class="card">
<header><img src="${PAGE_FILES.icon}" alt="" width="36" height="36"><span>Pharos</span></header>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`
