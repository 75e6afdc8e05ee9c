// Makes the database hold exactly the articles this version of the service came with.
import type { EntityManager } from '@mikro-orm/postgresql'
import { change, inTransaction, rows } from '../../store/rows.ts'
import type { Article } from './article.ts'

export interface Published {
  readonly written: number
  readonly removed: number
}

/**
 * One transaction; articles that are as they were are not written. Servers that start together take turns, and while
 * two versions run side by side the one that started last decides.
 */
export const publishArticles = (
  { em }: { em: EntityManager },
  articles: readonly Article[],
): Promise<Published> =>
  inTransaction(em, async (em) => {
    // Conflicts with itself alone: readers go on.
    await rows(em, 'LOCK TABLE knowledge_articles IN SHARE ROW EXCLUSIVE MODE')
    const removed = await change(em, REMOVE_OTHERS, [articles.map(({ slug }) => slug)])
    const written = await change(em, WRITE_CHANGED, [
      articles.map(({ slug }) => slug),
      articles.map(({ title }) => title),
      articles.map(({ body }) => body),
      articles.map(({ plain }) => plain),
      articles.map(({ code }) => code),
      articles.map(({ updatedAt }) => updatedAt.getTime()),
    ])
    const links = articles.flatMap(({ slug, links }) => links.map((to, position) => ({ slug, to, position })))
    const columns = [
      links.map(({ slug }) => slug),
      links.map(({ to }) => to),
      links.map(({ position }) => position),
    ]
    await change(em, REMOVE_OTHER_LINKS, columns)
    await change(em, ADD_MISSING_LINKS, columns)
    return { written, removed }
  })

const REMOVE_OTHERS = 'DELETE FROM knowledge_articles WHERE slug <> ALL ($1::text[])'

/** The comparison leaves rows alone that are as they were, and their index entries with them. */
const WRITE_CHANGED = `
  INSERT INTO knowledge_articles AS a (slug, title, body, plain, code, updated_at)
  SELECT slug, title, body, plain, code, from_unix_ms(ms)
    FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::float8[])
         AS given (slug, title, body, plain, code, ms)
  ON CONFLICT (slug) DO UPDATE
     SET title = excluded.title, body = excluded.body, plain = excluded.plain, code = excluded.code,
         updated_at = excluded.updated_at
   WHERE (a.title, a.body, a.plain, a.code, a.updated_at)
         IS DISTINCT FROM (excluded.title, excluded.body, excluded.plain, excluded.code, excluded.updated_at)`

const GIVEN_LINKS = 'unnest($1::text[], $2::text[], $3::smallint[]) AS given (from_slug, to_slug, position)'

const REMOVE_OTHER_LINKS = `
  DELETE FROM knowledge_links l
   WHERE NOT EXISTS (
     SELECT 1 FROM ${GIVEN_LINKS}
      WHERE (given.from_slug, given.to_slug, given.position) = (l.from_slug, l.to_slug, l.position))`

const ADD_MISSING_LINKS = `
  INSERT INTO knowledge_links (from_slug, to_slug, position)
  SELECT from_slug, to_slug, position FROM ${GIVEN_LINKS}
  ON CONFLICT (from_slug, to_slug) DO NOTHING`
