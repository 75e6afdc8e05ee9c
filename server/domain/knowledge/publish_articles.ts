// Reads the folder of articles once, at start, and makes the database hold exactly those.
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { change, command, inTransaction, type Sql } from '../../store/statement.ts'
import { type Article, readArticle } from './article.ts'

const ARTICLES_FOLDER = join(import.meta.dirname, 'articles')

/** Our articles are far below these ceilings. A folder beyond them contains something else. */
const ARTICLE_CEILINGS = { articles: 200, bytes: 65_536 } as const

/** Ordered by slug. @throws one Error that names every mistake */
export async function loadArticles(folder: string = ARTICLES_FOLDER): Promise<Article[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.md')).sort()
  if (names.length > ARTICLE_CEILINGS.articles)
    throw wrong([`there are more than ${ARTICLE_CEILINGS.articles}`])
  const mistakes: string[] = []
  const articles: Article[] = []
  for (const name of names) {
    const path = join(folder, name)
    if ((await stat(path)).size > ARTICLE_CEILINGS.bytes) {
      mistakes.push(`${name} is larger than ${ARTICLE_CEILINGS.bytes} bytes`)
      continue
    }
    const read = readArticle(name.slice(0, -'.md'.length), await readFile(path, 'utf8'))
    if ('mistakes' in read) mistakes.push(...read.mistakes.map((mistake) => `${name} ${mistake}`))
    else articles.push(read)
  }
  const known = new Set(articles.map(({ slug }) => slug))
  for (const { slug, links } of articles)
    for (const link of links)
      if (!known.has(link)) mistakes.push(`${slug}.md links to ${link}, which is no article`)
  if (mistakes.length > 0) throw wrong(mistakes)
  return articles
}

const wrong = (mistakes: readonly string[]): Error =>
  new Error(`The articles are wrong:\n${mistakes.map((mistake) => `  ${mistake}`).join('\n')}`)

/**
 * One transaction. Unchanged articles are not written. Servers that start together run it one after another. While
 * two versions run, the version that started last decides.
 */
export const publishArticles = (em: EntityManager, articles: readonly Article[]) =>
  inTransaction(em, async (em) => {
    // Conflicts only with itself, so readers do not wait.
    await change(em, LOCK)
    const removed = await change(em, REMOVE_OTHERS({ slugs: articles.map(({ slug }) => slug) }))
    const written = await change(em, WRITE_CHANGED({ articles: JSON.stringify(articles) }))
    const links = { links: JSON.stringify(linksOf(articles)) }
    await change(em, REMOVE_OTHER_LINKS(links))
    await change(em, ADD_MISSING_LINKS(links))
    return { written, removed }
  })

const LOCK = command(sql`LOCK TABLE knowledge_articles IN SHARE ROW EXCLUSIVE MODE`)

const REMOVE_OTHERS = command(
  ({ slugs }: { slugs: readonly string[] }) =>
    sql`DELETE FROM knowledge_articles WHERE slug <> ALL (${slugs}::text[])`,
)

/** The comparison skips unchanged rows, so their index entries stay too. */
const WRITE_CHANGED = command(
  ({ articles }: { articles: string }) => sql`
  INSERT INTO knowledge_articles AS a (slug, title, body, plain, code, updated_at)
  SELECT slug, title, body, plain, code, "updatedAt"
    FROM json_to_recordset(${articles}::json)
         AS given (slug text, title text, body text, plain text, code text, "updatedAt" timestamptz)
  ON CONFLICT (slug) DO UPDATE
     SET title = excluded.title, body = excluded.body, plain = excluded.plain, code = excluded.code,
         updated_at = excluded.updated_at
   WHERE (a.title, a.body, a.plain, a.code, a.updated_at)
         IS DISTINCT FROM (excluded.title, excluded.body, excluded.plain, excluded.code, excluded.updated_at)`,
)

const linksOf = (articles: readonly Article[]) =>
  articles.flatMap(({ slug, links }) =>
    links.map((to_slug, position) => ({ from_slug: slug, to_slug, position })),
  )

/** As JSON. */
type Links = { readonly links: string }

const given = ({ links }: Links): Sql =>
  sql`json_to_recordset(${links}::json) AS given (from_slug text, to_slug text, position smallint)`

const REMOVE_OTHER_LINKS = command(
  (links: Links) => sql`
  DELETE FROM knowledge_links l
   WHERE NOT EXISTS (
     SELECT 1 FROM ${given(links)}
      WHERE (given.from_slug, given.to_slug, given.position) = (l.from_slug, l.to_slug, l.position))`,
)

const ADD_MISSING_LINKS = command(
  (links: Links) => sql`
  INSERT INTO knowledge_links (from_slug, to_slug, position)
  SELECT from_slug, to_slug, position FROM ${given(links)}
  ON CONFLICT (from_slug, to_slug) DO NOTHING`,
)
