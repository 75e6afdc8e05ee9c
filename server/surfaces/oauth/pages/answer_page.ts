// Answers with a page: its content policy, its caching, and refusals as a page that says what happened.
import type Koa from 'koa'
import type { Log } from '../../../kernel/log.ts'
import { REFUSALS } from '../../../kernel/refusal.ts'
import { type AnsweredProblem, problemsOf, retryAfterHeader, statusOf } from '../../http/error_document.ts'
import type { Html } from '../../http/html.ts'
import { pageHeaders } from '../../http/security_headers.ts'
import { messagePage } from './message_page.ts'
import { spokenWait } from './page.ts'

interface Answered {
  readonly status?: number
  /** The redirect address of the client, when a form of this page may end there. */
  readonly redirectUri?: string | undefined
}

/** Sends the page. It is never cached, because it holds a form token and may name an account. */
export function answerPage(ctx: Koa.Context, page: Html, { status = 200, redirectUri }: Answered = {}): void {
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
  ctx.body = page.markup
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
  const problems = problemsOf(error, log)
  const [first] = problems
  const status = statusOf(problems)
  ctx.state.answered = { ...ctx.state.answered, codes: problems.map(({ code }) => code), error_id: first?.id }
  ctx.set(retryAfterHeader(problems))
  answerPage(ctx, messagePage(wordsOf(first, status)), { status })
}

function wordsOf(first: AnsweredProblem | undefined, status: number): { title: string; text: string } {
  const { title = 'That did not work', text } = WORDS[status] ?? {}
  const isUsual = first === undefined || first.detail === REFUSALS[first.code].meaning
  const again =
    first?.code === 'rate_limited' ? `Please wait ${spokenWait(first)}, then go back and try again.` : text
  if (isUsual && again !== undefined) return { title, text: again }
  const detail = first?.detail ?? ''
  const said = `${detail.charAt(0).toUpperCase()}${detail.slice(1)}.`.replace(/\.\.$/, '.')
  return { title, text: first?.code === 'rate_limited' ? `${said} ${again}` : said }
}

/** Statuses whose usual detail is meant for programs. */
const WORDS: Readonly<Record<number, { readonly title: string; readonly text?: string }>> = {
  404: { title: 'Nothing here', text: 'There is no such page, or it has served its purpose already.' },
  429: { title: 'Too many tries' },
  500: { title: 'Something went wrong', text: 'The mistake is ours. Please go back and try again.' },
  503: { title: 'Busy just now', text: 'Please wait a moment, then go back and try again.' },
}
