// kb/links: the articles that an article links to, and the articles that link to it.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { attribute } from '../../contract/attribute.ts'
import { text } from '../../contract/kinds.ts'
import { listMember, resultOf, textResult } from '../../contract/operation.ts'
import { int4, oneOf, text as textColumn } from '../../store/columns.ts'
import { rows } from '../../store/run.ts'
import { type RowFrom, statement } from '../../store/statement.ts'
import { type Failure, invalid, LONGEST_ARGUMENT, readAction } from '../utilities/read_action.ts'
import { isSlug } from './article.ts'
import { UNKNOWN_ARTICLE } from './fetch_article.ts'

interface LinkedArticle {
  readonly slug: string
  readonly title: string
}

interface ArticleLinks {
  /** In the order of their mention in the article. */
  readonly outgoing: readonly LinkedArticle[]
  /** By slug. */
  readonly incoming: readonly LinkedArticle[]
}

export async function articleLinks(
  em: EntityManager,
  { slug }: { readonly slug: string },
): Promise<ArticleLinks | Failure> {
  const found = isSlug(slug) ? await rows(em, LINKS({ slug })) : []
  if (found.length === 0) return invalid(UNKNOWN_ARTICLE)
  const towards = (direction: RowFrom<typeof LINKS>['direction']): LinkedArticle[] =>
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

export const linksAction = readAction({
  name: 'knowledgeLinks',
  tool: { name: 'kb_links', title: 'Links of an article' },
  http: 'POST /kb/links',
  graphql: 'knowledgeLinks',
  access: 'read',
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
  run: ({ em }, given) => articleLinks(em, { slug: given.slug }),
})
