// Reads the folder of articles once, at start. Reports all mistakes in it together, before the service listens.
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Article, readArticle } from './article.ts'

const ARTICLES_FOLDER = join(import.meta.dirname, 'articles')

/** Our articles are far below these ceilings. A folder beyond them contains something else. */
export const CEILINGS = { articles: 200, bytes: 65_536 } as const

/** Ordered by slug. @throws one Error that names every mistake */
export async function loadArticles(folder: string = ARTICLES_FOLDER): Promise<Article[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.md')).sort()
  if (names.length > CEILINGS.articles) throw wrong([`there are more than ${CEILINGS.articles}`])
  const mistakes: string[] = []
  const articles: Article[] = []
  for (const name of names) {
    const path = join(folder, name)
    if ((await stat(path)).size > CEILINGS.bytes) {
      mistakes.push(`${name} is larger than ${CEILINGS.bytes} bytes`)
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
