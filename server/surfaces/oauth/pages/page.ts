// The layout that all sign-in pages share, which have no script framework, with the files that they load; a page of one
// message; and how a page is answered: its content policy, its caching, and refusals as a page that says what happened.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type Koa from 'koa'
import type { Middleware } from 'koa'
import type { Log } from '../../../kernel/log.ts'
import { type Problem, REFUSALS, retryAfterSeconds } from '../../../kernel/refusal.ts'
import { type AnsweredProblem, refuseWith, retryAfterHeader } from '../../http/error_document.ts'
import { type Html, html, PAGE_ICON, sentence } from '../../http/html.ts'
import { pageHeaders } from '../../http/security_headers.ts'
import { heldFile, pageStyle, type StaticFile, sendStatic } from '../../http/static_file.ts'

/** Where the files of the pages are served. */
const PAGE_FILES = {
  style: '/oauth/pages.css',
  icon: PAGE_ICON,
  linkScript: '/oauth/link.js',
} as const

const held = async (name: string, type: string): Promise<StaticFile> =>
  heldFile(type, await readFile(join(import.meta.dirname, name)))

/** Serves the files of the pages, and nothing else. Reads them once, at the start. */
export async function servePageFiles(): Promise<Middleware> {
  const files: ReadonlyMap<string, StaticFile> = new Map([
    [PAGE_FILES.style, await pageStyle([join(import.meta.dirname, 'pages.css')])],
    [PAGE_FILES.icon, await held('lighthouse.svg', 'image/svg+xml')],
    [PAGE_FILES.linkScript, await held('link.js', 'text/javascript; charset=utf-8')],
  ])
  return async (ctx, next) => {
    const file = files.get(ctx.path)
    if (file === undefined || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return next()
    await sendStatic(ctx, file)
  }
}

interface PageParts {
  /** The heading, and the title of the browser's tab. */
  readonly title: string
  readonly body: Html
  /** Runs our own script of one-time links after the page was read. */
  readonly isOfLink?: boolean
}

/** The whole document. It has no inline style and no inline script, so that the strict content policy holds. */
export const page = ({ title, body, isOfLink = false }: PageParts): Html => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title} · Pharos</title>
<link rel="icon" type="image/svg+xml" href="${PAGE_FILES.icon}">
<link rel="stylesheet" href="${PAGE_FILES.style}">
${isOfLink && html`<script src="${PAGE_FILES.linkScript}" defer></script>`}
</head>
<body>
<main class="card">
<header><img src="${PAGE_FILES.icon}" alt="" width="36" height="36"><span>Pharos</span></header>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`

/** Says that something is done or cannot be done. `link` leads on from here. */
export const messagePage = ({
  title,
  text,
  link,
}: {
  readonly title: string
  readonly text: string
  readonly link?: { readonly href: string; readonly text: string }
}): Html =>
  page({
    title,
    body: html`<p class="lead" role="status">${text}</p>
${link !== undefined && html`<p><a class="primary" href="${link.href}">${link.text}</a></p>`}`,
  })

/** `20 seconds`, `3 minutes`. Rounded up. */
export function spokenWait(problem: Problem): string {
  const seconds = retryAfterSeconds(problem) ?? 60
  const [count, unit] = seconds <= 90 ? [seconds, 'second'] : [Math.ceil(seconds / 60), 'minute']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

/**
 * Sends the page. It is never cached, because it holds a form token and may name an account.
 * @param redirectUri the redirect address of the client, when a form of this page may end there
 */
export function answerPage(ctx: Koa.Context, { markup }: Html, status = 200, redirectUri?: string): void {
  ctx.status = status
  ctx.set({
    ...pageHeaders({
      'img-src': "'self'",
      'connect-src': "'none'",
      'font-src': "'none'",
      'manifest-src': "'none'",
      'form-action': formTargets(redirectUri),
    }),
    // Other sites learn nothing. Our own forms keep their Origin header, which no-referrer would turn into `null`.
    'Referrer-Policy': 'same-origin',
    'Cache-Control': 'no-store',
  })
  // A client that opened a popup must recognise it when it returns.
  ctx.remove('Cross-Origin-Opener-Policy')
  ctx.type = 'text/html; charset=utf-8'
  ctx.body = markup
}

/** Hosts that a source expression can name. It cannot name an IPv6 address. */
const NAMED_ORIGIN = /^https?:\/\/[a-z0-9.-]+(:\d+)?$/

/**
 * Browsers apply `form-action` to the redirects after a form as well, so it names the client's origin. An origin that
 * a policy cannot name is allowed by its scheme.
 */
export function formTargets(redirectUri: string | undefined): string {
  if (redirectUri === undefined) return "'self'"
  const { origin, protocol } = new URL(redirectUri)
  return `'self' ${NAMED_ORIGIN.test(origin) ? origin : protocol}`
}

/** Answers an error with a page. A fault of ours is logged and named by its id only. */
export function answerProblem(ctx: Koa.Context, error: unknown, log: Log): void {
  const problems = refuseWith(ctx, error, log)
  ctx.set(retryAfterHeader(problems))
  answerPage(ctx, messagePage(wordsOf(problems[0], ctx.status)), ctx.status)
}

function wordsOf(first: AnsweredProblem | undefined, status: number): { title: string; text: string } {
  const { title = 'That did not work', text } = WORDS[status] ?? {}
  const isUsual = first === undefined || first.detail === REFUSALS[first.code].meaning
  const again =
    first?.code === 'rate_limited' ? `Please wait ${spokenWait(first)}, then go back and try again.` : text
  if (isUsual && again !== undefined) return { title, text: again }
  const said = sentence(first?.detail ?? '').replace(/\.\.$/, '.')
  return { title, text: first?.code === 'rate_limited' ? `${said} ${again}` : said }
}

/** Statuses whose usual detail is meant for programs. */
const WORDS: Readonly<Record<number, { readonly title: string; readonly text?: string }>> = {
  404: { title: 'Nothing here', text: 'There is no such page, or it has served its purpose already.' },
  429: { title: 'Too many tries' },
  500: { title: 'Something went wrong', text: 'The mistake is ours. Please go back and try again.' },
  503: { title: 'Busy just now', text: 'Please wait a moment, then go back and try again.' },
}
