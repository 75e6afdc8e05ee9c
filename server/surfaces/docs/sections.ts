// The addresses of the documentation, and the articles in the order in which people read them.
import type { ListedArticle } from '../../domain/knowledge/read_articles.ts'

export const DOCS_PATH = '/docs'

export const articlePath = (slug: string): string => `${DOCS_PATH}/${slug}`

/** Each article stands in one section. */
export const ARTICLE_SECTIONS: Readonly<Record<string, readonly string[]>> = {
  'Start here': [
    'quick-start',
    'command-line',
    'items-and-claims',
    'stamping',
    'proofs',
    'offline-verification',
  ],
  'Use the API': ['lists', 'tenants', 'utilities', 'limits', 'errors', 'oauth', 'agents'],
  'Use programs you have': ['calendar', 'time-stamps'],
  'Be told': ['webhooks', 'webhook-receivers'],
  'Follow the chain': ['beacons', 'chain-walking', 'public-log', 'log-copies'],
  'Run a server': ['operating'],
}

export interface Section {
  readonly title: string
  readonly articles: readonly ListedArticle[]
}

/** Where a newer version runs beside this one, there may be articles that stand in no section: they come last. */
export function inSections(articles: readonly ListedArticle[]): readonly Section[] {
  const known = new Set(Object.values(ARTICLE_SECTIONS).flat())
  const sections = Object.entries(ARTICLE_SECTIONS).map(([title, slugs]) => ({
    title,
    articles: slugs.flatMap((slug) => articles.find((article) => article.slug === slug) ?? []),
  }))
  const others = { title: 'More', articles: articles.filter(({ slug }) => !known.has(slug)) }
  return [...sections, others].filter(({ articles }) => articles.length > 0)
}
