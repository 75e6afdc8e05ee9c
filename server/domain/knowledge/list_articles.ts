// The articles that this version has, without their texts.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { int4, text } from '../../store/columns.ts'
import { rows } from '../../store/run.ts'
import { statement } from '../../store/statement.ts'

export interface ListedArticle {
  readonly slug: string
  readonly title: string
  /** e.g. `2026-11-20T00:00:00.000Z` */
  readonly updated_at: string
  /** Of its Markdown. */
  readonly bytes: number
  /** Its first paragraph, without markup. */
  readonly summary: string
}

/** By slug. There are a few dozen, and `publish_articles.ts` has a ceiling. */
export const listArticles = (em: EntityManager): Promise<readonly ListedArticle[]> => rows(em, ARTICLES)

const ARTICLES = statement(
  { slug: text, title: text, updated_at: text, bytes: int4, summary: text },
  sql`SELECT slug, title, iso_time(updated_at) AS updated_at, octet_length(body) AS bytes,
             split_part(plain, chr(10), 1) AS summary
        FROM knowledge_articles ORDER BY slug`,
)
