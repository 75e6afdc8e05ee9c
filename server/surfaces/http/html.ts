// Markup that pages are made of without a script: a template that escapes what is inserted.

/** The icon of every page that the server makes. The sign-in pages serve it. */
export const PAGE_ICON = '/oauth/lighthouse.svg'

/** Markup that is safe to send. Only `html` makes it. */
export class Html {
  readonly markup: string
  constructor(markup: string) {
    this.markup = markup
  }
}

/** Text is escaped, markup is inserted as it is, lists are joined, and what is absent leaves nothing. */
type Inserted = string | number | Html | readonly Inserted[] | undefined | false

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

/** The detail of a refusal as a sentence for people. */
export const sentence = (detail: string): string => `${detail.charAt(0).toUpperCase()}${detail.slice(1)}.`
