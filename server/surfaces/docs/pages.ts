// The pages of the documentation: all articles, one of them, what a search found, and a refusal in words. They share
// the bar, the search, and the list of articles.
import type { FetchedArticle } from '../../domain/knowledge/read_articles.ts'
import type { FoundArticle } from '../../domain/knowledge/search_articles.ts'
import { type Html, html } from '../http/html.ts'
import { type TextPage, textPage } from '../http/text_page.ts'
import { articleMarkup } from './article_markup.ts'
import { articlePath, DOCS_PATH, type Section } from './sections.ts'

/** In characters. More words narrow nothing. */
export const LONGEST_QUERY = 200

const ABOUT = 'What Pharos does and how to use it, from the first call to a server of your own.'

/** @param base the public origin */
export const indexPage = (sections: readonly Section[], base: string): Html =>
  layout({
    title: 'Documentation',
    description: ABOUT,
    canonical: `${base}${DOCS_PATH}`,
    main: html`<header class="head">
<h1>Documentation</h1>
<p>${ABOUT}</p>
${searchForm('')}
</header>
${sections.map(({ title, articles }) =>
  cards(
    title,
    articles.map(({ slug, title, summary }) => ({
      href: articlePath(slug),
      title,
      text: sentenceOf(summary),
    })),
  ),
)}
${cards('Reference', REFERENCE)}`,
  })

/** The first one says what an article is about. */
const sentenceOf = (summary: string): string => /^.*?[.!?](?=\s|$)/.exec(summary)?.[0] ?? summary

const REFERENCE = [
  { href: '/api/json/redoc', title: 'API reference', text: 'Every resource, field and error.' },
  { href: '/api/json/swaggerui', title: 'API explorer', text: 'Requests tried in the browser.' },
  { href: '/graphiql', title: 'GraphQL', text: 'Queries and their schema, with a key.' },
  { href: '/api/json/open_api', title: 'OpenAPI document', text: 'For generators of clients.' },
] as const

type Card = Readonly<Record<'href' | 'title' | 'text', string>>

const cards = (title: string, shown: readonly Card[]): Html => html`<section>
<h2>${title}</h2>
<ul class="cards">
${shown.map(
  ({ href, title, text }) =>
    html`<li><a href="${href}"><strong>${title}</strong><span>${text}</span></a></li>\n`,
)}</ul>
</section>
`

export function articlePage(article: FetchedArticle, sections: readonly Section[], base: string): Html {
  const { slug, title, body, updated_at } = article
  const { body: markup, headings } = articleMarkup(body)
  const order = sections.flatMap(({ articles }) => articles)
  const at = order.findIndex((one) => one.slug === slug)
  const section = sections.find(({ articles }) => articles.some((one) => one.slug === slug))
  const neighbour = (distance: number, words: string): Html | false => {
    const other = order[at + distance]
    return (
      other !== undefined &&
      html`<a href="${articlePath(other.slug)}"><small>${words}</small>${other.title}</a>`
    )
  }
  return layout({
    title,
    description: order[at]?.summary,
    canonical: `${base}${articlePath(slug)}`,
    list: { sections, slug },
    main: html`<article>
<header class="head">
<p class="kind">${section?.title ?? 'Documentation'}</p>
<h1>${title}</h1>
</header>
${headings.length >= LEAST_HEADINGS && contentsOf(headings)}
<div class="prose">
${markup}
</div>
<footer>
<p>Last revised on <time datetime="${updated_at}">${DAY.format(new Date(updated_at))}</time></p>
<nav class="neighbours" aria-label="Next articles">${neighbour(-1, 'Before')}${neighbour(1, 'Next')}</nav>
</footer>
</article>`,
  })
}

/** A shorter article is seen at a glance. */
const LEAST_HEADINGS = 3

const contentsOf = (headings: ReturnType<typeof articleMarkup>['headings']): Html =>
  html`<nav class="contents" aria-label="On this page">
<h2>On this page</h2>
<ul>
${headings.map(({ id, words }) => html`<li><a href="#${id}">${words}</a></li>\n`)}</ul>
</nav>`

const DAY = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
})

export const searchPage = (query: string, found: readonly FoundArticle[]): Html =>
  layout({
    title: `Search: ${query}`,
    main: html`<header class="head">
<h1>Search</h1>
${searchForm(query)}
<p role="status">${foundWords(found.length)} <strong>${query}</strong></p>
</header>
<ul class="found">
${found.map(
  ({ slug, title, excerpt }) =>
    html`<li><h2><a href="${articlePath(slug)}">${title}</a></h2><p>${excerpt}</p></li>\n`,
)}</ul>
${found.length === 0 && html`<p>Other words may find it. <a href="${DOCS_PATH}">All articles</a></p>`}`,
  })

const foundWords = (count: number): string =>
  count === 0 ? 'No article says anything about' : `${count} ${count === 1 ? 'article' : 'articles'} about`

export const problemPage = ({ title, text }: { readonly title: string; readonly text: string }): Html =>
  layout({
    title,
    main: html`<header class="head">
<h1>${title}</h1>
<p role="status">${text}</p>
${searchForm('')}
<p><a href="${DOCS_PATH}">All articles</a></p>
</header>`,
  })

/** Beside an article stands the list of all, and the search in the bar. */
interface DocsPage extends Omit<TextPage, 'place' | 'bar' | 'aside'> {
  readonly list?: { readonly sections: readonly Section[]; readonly slug: string }
}

const layout = ({ list, ...page }: DocsPage): Html =>
  textPage({
    ...page,
    place: DOCS_PATH,
    ...(list === undefined ? {} : { bar: searchForm(''), aside: listOf(list) }),
  })

/** A plain form: its words stand in the address of the page that answers. */
const searchForm = (query: string): Html => html`<form class="search" role="search" action="${DOCS_PATH}">
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
