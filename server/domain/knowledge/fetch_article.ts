// kb/fetch: returns one article.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { attribute } from '../../contract/attribute.ts'
import { text } from '../../contract/kinds.ts'
import { resultOf, textResult } from '../../contract/operation.ts'
import { text as textColumn } from '../../store/columns.ts'
import { rows } from '../../store/run.ts'
import { statement } from '../../store/statement.ts'
import { type Failure, invalid, LONGEST_ARGUMENT, readAction } from '../utilities/read_action.ts'
import { isSlug } from './article.ts'

export interface FetchedArticle {
  readonly slug: string
  readonly title: string
  /** Markdown. The target of a link to another article is its slug. */
  readonly body: string
  /** e.g. `2026-11-20T00:00:00.000Z` */
  readonly updated_at: string
}

export async function fetchArticle(
  em: EntityManager,
  { slug }: { readonly slug: string },
): Promise<FetchedArticle | Failure> {
  const [article] = isSlug(slug) ? await rows(em, ARTICLE({ slug })) : []
  return article ?? invalid(UNKNOWN_ARTICLE)
}

export const UNKNOWN_ARTICLE = 'no such article: search finds the slugs there are'

const ARTICLE = statement(
  { slug: textColumn, title: textColumn, body: textColumn, updated_at: textColumn },
  ({ slug }: { slug: string }) => sql`
  SELECT slug, title, body, iso_time(updated_at) AS updated_at FROM knowledge_articles WHERE slug = ${slug}`,
)

export const fetchAction = readAction({
  name: 'fetchKnowledge',
  tool: { name: 'kb_fetch', title: 'Read an article' },
  http: 'POST /kb/fetch',
  graphql: 'fetchKnowledge',
  access: 'read',
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
  run: ({ em }, given) => fetchArticle(em, { slug: given.slug }),
})
