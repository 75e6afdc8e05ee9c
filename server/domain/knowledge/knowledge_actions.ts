// The table of the knowledge base's three reads. Routes, agent tools and documents are derived from it.
import type { ReadAction } from '../utilities/read_action.ts'
import { linksAction } from './article_links.ts'
import { fetchAction } from './fetch_article.ts'
import { searchAction } from './search_articles.ts'

/** In the order documents list them. */
export const KNOWLEDGE_ACTIONS: readonly ReadAction[] = Object.freeze([
  searchAction,
  fetchAction,
  linksAction,
])
