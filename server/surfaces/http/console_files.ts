// Serves the console web app: its built files, its page for each of its addresses, and robots.txt.
import { createHash, randomBytes } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { extname, join, posix } from 'node:path'
import type { Context, Middleware } from 'koa'
import { CONSOLE_ROUTES, routePattern } from '../../../shared/wire/console_routes.ts'
import type { PublicDoor } from '../../domain/rounds/public_door.ts'
import { pageHeaders } from './security_headers.ts'
import { CODINGS, type Coding, compress, type FileForm, type StaticFile, sendStatic } from './static_file.ts'

const HTML = 'text/html; charset=utf-8'

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': HTML,
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.json': 'application/json; charset=utf-8',
  '.woff2': 'font/woff2',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
}

const pages = CONSOLE_ROUTES.map(routePattern)

/** Addresses of other surfaces. The console does not answer them, even when nothing is found there. */
const NOT_PAGES = /^\/(api|gql|socket\.io|mcp|oauth|\.well-known|health|metrics|log|assets)(\/|$)/

/** All other addresses need a credential or have no use for search engines. */
const ROBOTS = `User-agent: *
Allow: /$
Allow: /verify$
Allow: /docs
Allow: /assets/
Allow: /api/json/open_api
Allow: /api/json/swaggerui
Allow: /api/json/redoc
Disallow: /
`

/** The placeholder for the nonce in the built page. */
const NONCE = '{nonce}'

/** The placeholder for what is open without an account, so that the front door need not try. */
const OPEN_TO_ALL = '{open-to-all}'

interface ConsolePage {
  /** Whether anybody may read the public log. */
  readonly logIsPublic: boolean
  readonly publicDoors: readonly PublicDoor[]
}

/** Parts of a page, which has the policy for all of them. A worker has its own. */
const WITHOUT_POLICY = /^\/assets\/(?!.*worker)[^/]*\.(js|css|svg)$/

/** The last segment has a file ending. The client asks for a file, and a page would not help it. */
const NAMES_A_FILE = /\.[A-Za-z0-9]+$/

const ENDINGS: Readonly<Record<Coding, string>> = { br: '.br', gzip: '.gz' }

const PAGE = '/index.html'

/**
 * Serves what was in the folder when the server started, from memory, about 3 MB. So no path from a client reaches the
 * file system, and answers that wait for a client who does not read hold no open file. Files under `assets/` have a hash
 * in their name and never change. An unknown address gets the page with status 404: the page tells people, the status
 * tells programs.
 */
export async function consoleFiles(folder: string, facts: ConsolePage): Promise<Middleware> {
  const files = await readBuilt(folder)
  const built = await files.get(PAGE)?.plain.bytes()
  const answerPage = pageAnswer(Buffer.from(built ?? '').toString('utf8'), facts)
  return async (ctx, next) => {
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return next()
    if (ctx.path === '/robots.txt') {
      ctx.set('Cache-Control', 'public, max-age=86400')
      ctx.body = ROBOTS
      return
    }
    const isPage = pages.some((page) => page.test(ctx.path))
    const isOthers = NOT_PAGES.test(ctx.path) || (!isPage && NAMES_A_FILE.test(ctx.path))
    const name = files.has(ctx.path) ? ctx.path : isOthers ? undefined : PAGE
    const file = name === undefined ? undefined : files.get(name)
    if (name === undefined || file === undefined) return next()
    if (WITHOUT_POLICY.test(name)) for (const header of Object.keys(pageHeaders())) ctx.remove(header)
    await (name === PAGE ? answerPage(ctx) : sendStatic(ctx, file))
    if (name === PAGE && !isPage && ctx.path !== name) ctx.status = 404
  }
}

/**
 * The files by address, with the compressed forms that the build wrote beside them. Nothing when there is no such folder.
 * They are read without waiting: nobody is served yet, and waits for some hundred files take several times as long.
 */
async function readBuilt(folder: string): Promise<ReadonlyMap<string, StaticFile>> {
  const names = await readdir(folder, { recursive: true }).catch(() => [])
  const present = new Set(names)
  const files = new Map<string, StaticFile>()
  for (const name of names) {
    const path = join(folder, name)
    const type = CONTENT_TYPES[extname(name)]
    if (type === undefined || !statSync(path).isFile()) continue
    const coded = new Map<Coding, FileForm>()
    for (const coding of CODINGS)
      if (present.has(name + ENDINGS[coding])) coded.set(coding, builtForm(path + ENDINGS[coding]))
    const address = `/${name.split(/[\\/]/).join(posix.sep)}`
    files.set(address, {
      ...{ type, plain: builtForm(path), coded: coded.size === 0 ? undefined : coded },
      ...(address.startsWith('/assets/') && { scope: 'public', immutable: true }),
    })
  }
  return files
}

function builtForm(path: string): FileForm {
  const bytes = readFileSync(path)
  return { bytes: () => bytes }
}

/** The built page has one, which applies the theme before the first paint. The policy names it by its content. */
const INLINE_SCRIPT = /<script>(.*?)<\/script>/gs

const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64')

/**
 * The query editor creates a style element in the browser. The policy refuses inline styles unless they carry the
 * nonce of this answer, and the page passes the nonce to the editor. The page contains the nonce, so it has no ETag:
 * a 304 would combine the policy of a new nonce with a page that holds an old one.
 */
function pageAnswer(built: string, { logIsPublic, publicDoors }: ConsolePage) {
  const open = [...(logIsPublic ? ['log'] : []), ...publicDoors]
  const page = built.replaceAll(OPEN_TO_ALL, open.join(' '))
  const scripts = [...page.matchAll(INLINE_SCRIPT)].map(([, script = '']) => `'sha256-${sha256(script)}'`)
  const scriptSources = ["'self'", ...scripts].join(' ')
  return async (ctx: Context): Promise<void> => {
    const nonce = randomBytes(16).toString('base64')
    ctx.set(pageHeaders({ 'script-src': scriptSources, 'style-src': `'self' 'nonce-${nonce}'` }))
    const bytes = Buffer.from(page.replaceAll(NONCE, nonce))
    await sendStatic(ctx, {
      ...{ type: HTML, plain: { bytes: () => bytes } },
      // Nothing of the request stands in the page, so its length tells nobody the nonce.
      coded: new Map(CODINGS.map((coding) => [coding, { bytes: () => compress(bytes, coding, 'answer') }])),
    })
  }
}
