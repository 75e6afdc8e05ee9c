// The Markdown of an article as markup. The parser only reads: each word goes through the escaping template, so markup
// in an article is shown as text.
import { lexer, type MarkedToken, type Token, type Tokens } from 'marked'
import { isSlug } from '../../domain/knowledge/article.ts'
import { type Html, html } from '../http/html.ts'
import { articlePath } from './sections.ts'

export function articleMarkup(markdown: string) {
  const ids = new Set<string>()
  /** Those of the first level below the title. */
  const headings: { readonly id: string; readonly words: Html }[] = []

  const headingOf = ({ depth, text, tokens }: Tokens.Heading): Html => {
    const name = anchorOf(text)
    let id = name
    for (let nth = 2; ids.has(id); nth += 1) id = `${name}-${nth}`
    ids.add(id)
    const words = inline(tokens)
    const anchor = html`<a class="anchor" href="#${id}" aria-label="Link to this heading">#</a>`
    if (depth > 2) return html`<h3 id="${id}">${words} ${anchor}</h3>`
    headings.push({ id, words })
    return html`<h2 id="${id}">${words} ${anchor}</h2>`
  }

  const blocks = (tokens: readonly Token[]): Html[] => marked(tokens).map(block)

  const block = (token: MarkedToken): Html => {
    switch (token.type) {
      case 'heading':
        return headingOf(token)
      case 'paragraph':
        return html`<p>${inline(token.tokens)}</p>\n`
      case 'code':
        // Focusable, so that the keyboard can scroll what is too wide.
        return html`<pre tabindex="0"><code>${token.text}</code></pre>\n`
      case 'list': {
        const items = token.items.map((item) => html`<li>${blocks(item.tokens)}</li>\n`)
        if (!token.ordered) return html`<ul>\n${items}</ul>\n`
        return html`<ol${token.start !== 1 && html` start="${token.start}"`}>\n${items}</ol>\n`
      }
      case 'table':
        return tableOf(token)
      case 'blockquote':
        return html`<blockquote>${blocks(token.tokens)}</blockquote>\n`
      case 'hr':
        return html`<hr>\n`
      case 'html':
        return html`<p>${token.raw}</p>\n`
      case 'space':
        return html``
      default:
        return phrase(token)
    }
  }

  return { body: html`${blocks(lexer(markdown))}`, headings }
}

const tableOf = ({ header, rows }: Tokens.Table): Html => html`<div class="table" tabindex="0"><table>
<thead><tr>${header.map(({ tokens }) => html`<th scope="col">${inline(tokens)}</th>`)}</tr></thead>
<tbody>
${rows.map((cells) => html`<tr>${cells.map(({ tokens }) => html`<td>${inline(tokens)}</td>`)}</tr>\n`)}</tbody>
</table></div>\n`

const inline = (tokens: readonly Token[]): Html => html`${marked(tokens).map(phrase)}`

/** Others are those of extensions, of which there are none. */
const marked = (tokens: readonly Token[]) => tokens as readonly MarkedToken[]

function phrase(token: MarkedToken): Html {
  switch (token.type) {
    case 'text':
      return token.tokens === undefined ? html`${token.text}` : inline(token.tokens)
    case 'escape':
      return html`${token.text}`
    case 'codespan':
      return html`<code>${token.text}</code>`
    case 'strong':
      return html`<strong>${inline(token.tokens)}</strong>`
    case 'em':
      return html`<em>${inline(token.tokens)}</em>`
    case 'del':
      return html`<del>${inline(token.tokens)}</del>`
    case 'br':
      return html`<br>`
    case 'link':
      return linkOf(token)
    // Nothing is loaded from elsewhere, and no markup of an article is markup of the page.
    default:
      return html`${token.raw}`
  }
}

/** Another article, or a page elsewhere. Any other target is no link. */
function linkOf({ href, tokens }: Tokens.Link): Html {
  const words = inline(tokens)
  if (isSlug(href)) return html`<a href="${articlePath(href)}">${words}</a>`
  return href.startsWith('https://') ? html`<a href="${href}" rel="noreferrer">${words}</a>` : words
}

/** `As an .ots file` → `as-an-ots-file` */
const anchorOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '') || 'section'
