// The articles that this version has: the list without their texts, kb/fetch, which returns one, and kb/links, the articles
// that one links to and those that link to it.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { attribute } from '../../contract/attribute.ts'
import { text } from '../../contract/kinds.ts'
import { listMember, resultOf, textResult } from '../../contract/operation.ts'
import { int4, oneOf, text as textColumn } from '../../store/columns.ts'
import { type RowFrom, rows, statement } from '../../store/statement.ts'
import { invalid, LONGEST_ARGUMENT, type ReadAction, readAction } from '../utilities/read_action.ts'
import { isSlug } from './article.ts'
import { searchAction } from './search_articles.ts'

export type ListedArticle = RowFrom<typeof ARTICLES>

/** By slug. There are a few dozen, and `publish_articles.ts` has a ceiling. */
export const listArticles = (em: EntityManager) => rows(em, ARTICLES)

/** `bytes` are those of the Markdown. `summary` is the first paragraph, without markup. */
const ARTICLES = statement(
  { slug: textColumn, title: textColumn, updated_at: textColumn, bytes: int4, summary: textColumn },
  sql`SELECT slug, title, iso_time(updated_at) AS updated_at, octet_length(body) AS bytes,
             split_part(plain, chr(10), 1) AS summary
        FROM knowledge_articles ORDER BY slug`,
)

export type FetchedArticle = RowFrom<typeof ARTICLE>

export async function fetchArticle(em: EntityManager, { slug }: { readonly slug: string }) {
  const [article] = isSlug(slug) ? await rows(em, ARTICLE({ slug })) : []
  return article ?? invalid(UNKNOWN_ARTICLE)
}

const UNKNOWN_ARTICLE = 'no such article: search finds the slugs there are'

/** The body is Markdown. The target of a link to another article is its slug. */
const ARTICLE = statement(
  { slug: textColumn, title: textColumn, body: textColumn, updated_at: textColumn },
  ({ slug }: { slug: string }) => sql`
  SELECT slug, title, body, iso_time(updated_at) AS updated_at FROM knowledge_articles WHERE slug = ${slug}`,
)

const fetchAction = readAction({
  name: 'fetchKnowledge',
  tool: { name: 'kb_fetch', title: 'Read an article' },
  http: 'POST /kb/fetch',
  doc: 'One article as Markdown.',
  accepts: {
    slug: attribute(text({ max: LONGEST_ARGUMENT }), 'The article’s name, as search and links give it.', {
      required: true,
    }),
  },
  result: resultOf({
    slug: textResult('As asked for.'),
    title: textResult('For people.'),
    body: textResult('Markdown; links to other articles have their slug as target.'),
    updated_at: { ...textResult('When it was last revised.'), format: 'date-time' },
  }),
  example: {
    data: { slug: 'chain-walking' },
    result: {
      slug: 'chain-walking',
      title: 'Walking the chain',
      body: 'Every [beacon](beacons) names the hash of the one before it …',
      updated_at: '2026-11-20T00:00:00.000Z',
    },
  },
  run: ({ em }, given) => fetchArticle(em, given),
})

export async function articleLinks(em: EntityManager, { slug }: { readonly slug: string }) {
  const found = isSlug(slug) ? await rows(em, LINKS({ slug })) : []
  if (found.length === 0) return invalid(UNKNOWN_ARTICLE)
  const towards = (direction: RowFrom<typeof LINKS>['direction']) =>
    found
      .filter((link) => link.direction === direction)
      .slice(0, MOST_LINKS)
      .map(({ slug, title }) => ({ slug, title }))
  return { outgoing: towards('outgoing'), incoming: towards('incoming') }
}

/** Maximum number in each direction. There are a few dozen articles. */
const MOST_LINKS = 250

/** Also returns the article itself, so that an article without links differs from a missing one. */
const LINKS = statement(
  { direction: oneOf('itself', 'outgoing', 'incoming'), slug: textColumn, title: textColumn, position: int4 },
  ({ slug }: { slug: string }) => sql`
  SELECT 'itself' AS direction, slug, title, 0 AS position FROM knowledge_articles WHERE slug = ${slug}
  UNION ALL
  SELECT 'outgoing', a.slug, a.title, l.position
    FROM knowledge_links l JOIN knowledge_articles a ON a.slug = l.to_slug WHERE l.from_slug = ${slug}
  UNION ALL
  SELECT 'incoming', a.slug, a.title, 0
    FROM knowledge_links l JOIN knowledge_articles a ON a.slug = l.from_slug WHERE l.to_slug = ${slug}
  ORDER BY direction, position, slug`,
)

const LINKED = resultOf({ slug: textResult('Its name.'), title: textResult('For people.') }, 'LinkedArticle')

const linksAction = readAction({
  name: 'knowledgeLinks',
  tool: { name: 'kb_links', title: 'Links of an article' },
  http: 'POST /kb/links',
  doc: 'The articles that one points at, and those that point at it.',
  accepts: {
    slug: attribute(text({ max: LONGEST_ARGUMENT }), 'The article’s name, as search gives it.', {
      required: true,
    }),
  },
  result: resultOf({
    outgoing: listMember(LINKED, MOST_LINKS, 'In the order in which the article mentions them.'),
    incoming: listMember(LINKED, MOST_LINKS, 'By slug.'),
  }),
  example: {
    data: { slug: 'chain-walking' },
    result: {
      outgoing: [{ slug: 'beacons', title: 'Beacons' }],
      incoming: [{ slug: 'quick-start', title: 'Quick start' }],
    },
  },
  run: ({ em }, given) => articleLinks(em, given),
})

/** In the order documents list them. */
export const KNOWLEDGE_ACTIONS: readonly ReadAction[] = Object.freeze([
  searchAction,
  fetchAction,
  linksAction,
])
