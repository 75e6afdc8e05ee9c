// Serves the articles of the knowledge base as pages for people: no credential, no script. What they cost is charged to
// the address.
import { join } from 'node:path'
import type { EntityManager } from '@mikro-orm/postgresql'
import type Koa from 'koa'
import type { Middleware } from 'koa'
import type { ClientAddress } from '../../admission/client_address.ts'
import { type Door, requireRoom } from '../../admission/door.ts'
import { isSlug } from '../../domain/knowledge/article.ts'
import { fetchArticle, listArticles } from '../../domain/knowledge/read_articles.ts'
import { searchArticles } from '../../domain/knowledge/search_articles.ts'
import { isFailure } from '../../domain/utilities/read_action.ts'
import { addressKey } from '../../kernel/addresses.ts'
import type { Log } from '../../kernel/log.ts'
import { refuse } from '../../kernel/refusal.ts'
import { refuseWith } from '../http/error_document.ts'
import type { House } from '../http/house.ts'
import { type Html, sentence } from '../http/html.ts'
import {
  answerBody,
  heldPage,
  moveTo,
  pageStyle,
  requireReading,
  type StaticFile,
  sendStatic,
} from '../http/static_file.ts'
import { sendTextPage, TEXT_PAGE_HEADERS, TEXT_PAGE_STYLE } from '../http/text_page.ts'
import { articlePage, indexPage, LONGEST_QUERY, problemPage, searchPage } from './pages.ts'
import { DOCS_PATH, inSections } from './sections.ts'

interface DocsSurface extends Pick<House, 'base' | 'admission' | 'drain'> {
  readonly em: () => EntityManager
  /** Charges the address. */
  readonly charge: Door['address']
  readonly clientAddress: ClientAddress
  readonly log: Log
}

/** Articles that a search shows. */
const MOST_FOUND = 20

export async function serveDocs(surface: DocsSurface): Promise<Middleware> {
  const { base, charge, admission, drain, clientAddress, log } = surface
  const rules = ['docs.css', 'article.css'].map((name) => join(import.meta.dirname, name))
  const style = await pageStyle(rules, ['ground.css', 'bar.css'])
  const pages = holdPages()
  const read = async (ctx: Koa.Context): Promise<StaticFile> => {
    const em = surface.em()
    const slug = ctx.path.slice(DOCS_PATH.length + 1)
    const query = slug === '' ? queryOf(ctx) : ''
    ctx.state.operation = slug !== '' ? 'article' : query === '' ? 'index' : 'search'
    if (query !== '') {
      const { articles } = await searchArticles(em, { query, limit: MOST_FOUND })
      return heldPage(searchPage(query, articles), 'answer')
    }
    const listed = await listArticles(em)
    if (slug === '') return pages('', [listed, base()], () => indexPage(inSections(listed), base()))
    const article = isSlug(slug) ? await fetchArticle(em, { slug }) : undefined
    if (article === undefined || isFailure(article)) throw refuse('not_found')
    return pages(slug, [article, listed, base()], () => articlePage(article, inSections(listed), base()))
  }
  const answer = async (ctx: Koa.Context): Promise<void> => {
    requireRoom(ctx, await charge(ctx))
    admission.admit(ctx.res, addressKey(clientAddress(ctx.req)))
    requireReading(ctx)
    if (ctx.path === TEXT_PAGE_STYLE) return sendStatic(ctx, style)
    if (SLASHED.test(ctx.path)) return moveTo(ctx, `${ctx.path.slice(0, -1)}${ctx.search}`)
    await sendTextPage(ctx, await drain.run(() => read(ctx)))
  }
  return async (ctx, next) => {
    if (ctx.path !== DOCS_PATH && !ctx.path.startsWith(`${DOCS_PATH}/`)) return next()
    try {
      await answer(ctx)
    } catch (error) {
      if (ctx.headerSent) throw error
      answerProblem(ctx, error, log)
    }
  }
}

/** An address of ours with a slash that it does not have. */
const SLASHED = /^\/docs(\/[a-z0-9-]{1,80})?\/$/

/** Keeps each page, with its compressed forms, until what it is made of is another. There are as many as articles. */
function holdPages(): (name: string, of: unknown, make: () => Html) => StaticFile {
  const held = new Map<string, { readonly of: string; readonly file: StaticFile }>()
  return (name, given, make) => {
    const of = JSON.stringify(given)
    const known = held.get(name)
    if (known?.of === of) return known.file
    const file = heldPage(make())
    held.set(name, { of, file })
    return file
  }
}

/** Empty when nothing is searched. @throws invalid_argument */
function queryOf(ctx: Koa.Context): string {
  const query = (new URLSearchParams(ctx.querystring).get('q') ?? '').trim()
  if (query.includes('\0')) throw refuse('invalid_argument', { detail: 'a search has no U+0000' })
  if ([...query].length > LONGEST_QUERY)
    throw refuse('invalid_argument', { detail: `a search has at most ${LONGEST_QUERY} characters` })
  return query
}

function answerProblem(ctx: Koa.Context, error: unknown, log: Log): void {
  const [first] = refuseWith(ctx, error, log)
  const { status } = ctx
  const text = WORDS[status] ?? sentence(first?.detail ?? '')
  ctx.set(TEXT_PAGE_HEADERS)
  const page = problemPage({ title: TITLES[status] ?? 'That did not work', text })
  answerBody(ctx, 'text/html; charset=utf-8', page.markup)
  ctx.status = status
}

const TITLES: Readonly<Record<number, string>> = {
  404: 'No such article',
  429: 'Too many requests',
  500: 'Something went wrong',
  503: 'Busy just now',
}

/** Statuses whose usual detail is meant for programs. */
const WORDS: Readonly<Record<number, string>> = {
  404: 'It may have another name by now. A search finds it.',
  405: 'Pages can only be read.',
  429: 'Your address has asked for very much. Please wait a minute, then load the page again.',
  500: 'The mistake is ours. Please try again.',
  503: 'Please wait a moment, then load the page again.',
}
