// Resources whose text is fixed while this version runs, and the articles of the knowledge base as resources:
// `pharos://kb/<slug>`.
import {
  type ReadResourceResult,
  type Resource,
  ResourceNotFoundError,
  type ResourceTemplateType,
} from '@modelcontextprotocol/server'
import type { Context } from '../../catalog/context.ts'
import { fetchArticle, listArticles } from '../../domain/knowledge/read_articles.ts'
import { isFailure } from '../../domain/utilities/read_action.ts'

export interface TextResource {
  readonly uri: string
  readonly name: string
  readonly title: string
  readonly description: string
  readonly mimeType: string
  readonly text: string
}

export const listedText = ({ text, ...about }: TextResource): Resource => ({
  ...about,
  size: Buffer.byteLength(text),
})

export function readText(texts: readonly TextResource[], uri: string): ReadResourceResult | undefined {
  const found = texts.find((one) => one.uri === uri)
  return found && { contents: [{ uri, mimeType: found.mimeType, text: found.text }] }
}

const ROOT = 'pharos://kb/'
const MIME_TYPE = 'text/markdown'

export async function articleResources({ em }: Pick<Context, 'em'>): Promise<Resource[]> {
  const articles = await listArticles(em)
  return articles.map(({ slug, title, updated_at, bytes }) => ({
    uri: `${ROOT}${slug}`,
    name: slug,
    title,
    mimeType: MIME_TYPE,
    size: bytes,
    annotations: { lastModified: updated_at },
  }))
}

export const ARTICLE_TEMPLATE: ResourceTemplateType = {
  uriTemplate: `${ROOT}{slug}`,
  name: 'article',
  title: 'An article about the service',
  description: 'By its slug, as kb_search and the links in articles name it.',
  mimeType: MIME_TYPE,
}

/** @throws ResourceNotFoundError */
export async function readArticleResource(
  { em }: Pick<Context, 'em'>,
  uri: string,
): Promise<ReadResourceResult> {
  const slug = uri.startsWith(ROOT) ? uri.slice(ROOT.length) : ''
  const article = await fetchArticle(em, { slug })
  if (isFailure(article)) throw new ResourceNotFoundError(uri.slice(0, LONGEST_URI))
  return { contents: [{ uri, mimeType: MIME_TYPE, text: article.body }] }
}

/** What is repeated of an address that names nothing. */
const LONGEST_URI = 200
