// Columns of the articles.
import { generated, instant, int2, searchable, text } from '../columns.ts'

export const KNOWLEDGE_TABLES = {
  knowledge_articles: {
    slug: text,
    title: text,
    body: text,
    plain: text,
    code: text,
    updated_at: instant,
    search: generated(searchable),
  },
  knowledge_links: {
    from_slug: text,
    to_slug: text,
    position: int2,
  },
} as const
