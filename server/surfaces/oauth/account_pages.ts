// The pages of one-time links, and signing out: what people reach without an application that sent them.
import type Koa from 'koa'
import type { OpenInvitation } from '../../domain/accounts/invite_member.ts'
import { type LinkKind, ONE_TIME_LINKS } from '../../domain/accounts/one_time_link.ts'
import { activeEmail } from '../../domain/accounts/user.ts'
import { addressKey } from '../../kernel/addresses.ts'
import { Refusal, refuse } from '../../kernel/refusal.ts'
import type { BrowserSessions } from './browser_session.ts'
import { requireOwnOrigin, typedIn } from './form_guard.ts'
import { orAgain, type Tried } from './pages/form.ts'
import { choosePasswordPage, invitationPage, linkPage } from './pages/form_pages.ts'
import { answerPage, messagePage } from './pages/page.ts'
import { type OauthHouse, pageRoute, type Route } from './serve_routes.ts'

/** A form that was posted, with the link that it is about. */
interface Visit {
  readonly ctx: Koa.Context
  readonly link: { readonly token: string; readonly address: string }
  readonly typed: ReturnType<typeof typedIn>
}

interface Invited extends Visit {
  readonly invitation: OpenInvitation
}

const INVITATION = ONE_TIME_LINKS.invitation.path
const RESET = ONE_TIME_LINKS.password_reset.path

/** Where the posts of an invitation go. */
const ACTIONS = {
  accept: `${INVITATION}/accept`,
  signIn: `${INVITATION}/sign-in`,
  signUp: `${INVITATION}/sign-up`,
  otherAccount: `${INVITATION}/other-account`,
} as const

const CHOOSE = `${RESET}/choose`

const CONSOLE = { href: '/', text: 'Open the console' } as const

export function accountPages(
  { base, em, accounts, formTokens, clientAddress }: OauthHouse,
  sessions: BrowserSessions,
): readonly Route[] {
  const opens = (purpose: LinkKind, title: string): Route =>
    page('GET', ONE_TIME_LINKS[purpose].path, async (ctx) => {
      const { path: action } = ONE_TIME_LINKS[purpose]
      answerPage(ctx, linkPage({ title, action, csrf: formTokens.issue(ctx, purpose) }))
    })

  const posts = (purpose: LinkKind, path: string, act: (visit: Visit) => Promise<unknown>): Route =>
    page('POST', path, async (ctx) => {
      const form = await formTokens.posted(ctx, purpose)
      const link = { token: tokenIn(form.get('token') ?? ''), address: addressKey(clientAddress(ctx.req)) }
      await act({ ctx, link, typed: typedIn(form) })
    })

  const ofInvitation = (path: string, act: (visit: Invited) => Promise<unknown>): Route =>
    posts('invitation', path, async (visit) =>
      act({ ...visit, invitation: await accounts.readInvitation(visit.link) }),
    )

  const showInvitation = async ({ ctx, link, invitation }: Invited, tried: Tried = {}): Promise<void> => {
    const { problem, status, ...typed } = tried
    const userId = await sessions.accountOf(ctx)
    const signedInAs = userId === undefined ? undefined : await activeEmail(em('read'), userId)
    const csrf = formTokens.issue(ctx, 'invitation')
    const { token } = link
    const shown = { ...invitation, problem, typed, token, signedInAs, actions: ACTIONS, csrf }
    answerPage(ctx, invitationPage(shown), status)
  }

  const joined = ({ ctx, invitation: { team, role } }: Invited): void => {
    const text = `You belong to ${team} now, as ${role}.`
    answerPage(ctx, messagePage({ title: 'Welcome', text, link: CONSOLE }))
  }

  const showChoice = async ({ ctx, link }: Visit, { problem, status }: Tried = {}): Promise<void> => {
    const reset = await accounts.readPasswordReset(link)
    const csrf = formTokens.issue(ctx, 'password_reset')
    const shown = { ...reset, action: CHOOSE, token: link.token, problem, csrf }
    answerPage(ctx, choosePasswordPage(shown), status)
  }

  const ofLinks: Readonly<Record<LinkKind, readonly Route[]>> = {
    invitation: [
      opens('invitation', 'Invitation'),
      ofInvitation(INVITATION, (visit) => showInvitation(visit)),
      ofInvitation(ACTIONS.accept, async (visit) => {
        const userId = await sessions.accountOf(visit.ctx)
        if (userId === undefined) return showInvitation(visit)
        await accounts.acceptInvitation(userId, visit.link)
        joined(visit)
      }),
      ofInvitation(ACTIONS.otherAccount, async (visit) => {
        await sessions.signOut(visit.ctx)
        await showInvitation(visit)
      }),
      ofInvitation(ACTIONS.signIn, async (visit) => {
        const { ctx, link, typed } = visit
        const { email, password } = typed
        const signIn = async () => {
          const devices = sessions.devicesOf(ctx)
          const proven = await accounts.signIn({ email, password, address: link.address, devices })
          await sessions.signIn(ctx, proven)
          await accounts.acceptInvitation(proven.userId, link)
          joined(visit)
        }
        await orAgain(ctx, signIn, (tried) => showInvitation(visit, { ...tried, email }))
      }),
      ofInvitation(ACTIONS.signUp, async (visit) => {
        const { ctx, link, typed } = visit
        const { firstName, lastName, newPassword } = typed
        const signUp = async () => {
          const given = { ...link, firstName, lastName, newPassword }
          await sessions.signIn(ctx, await accounts.signUpInvited(given))
          joined(visit)
        }
        await orAgain(ctx, signUp, (tried) => showInvitation(visit, { ...tried, firstName, lastName }))
      }),
    ],
    password_reset: [
      opens('password_reset', 'Choose a password'),
      posts('password_reset', RESET, (visit) => showChoice(visit)),
      posts('password_reset', CHOOSE, async (visit) => {
        const { ctx, link, typed } = visit
        const choose = () => accounts.choosePassword({ ...link, newPassword: typed.newPassword })
        if (!(await orAgain(ctx, choose, (tried) => showChoice(visit, tried)))) return
        await sessions.signOut(ctx)
        const text = 'Sign in with it now.'
        answerPage(ctx, messagePage({ title: 'The password is set', text, link: CONSOLE }))
      }),
    ],
  }

  const signOut = page('POST', '/oauth/sign-out', async (ctx) => {
    requireOwnOrigin(ctx, base())
    await sessions.signOut(ctx)
    ctx.set('Cache-Control', 'no-store')
    ctx.body = null
    // The console asks by itself and needs no page. The status is set last: an absent body changes it.
    ctx.status = ctx.get('Sec-Fetch-Mode') === 'navigate' ? 303 : 204
    if (ctx.status === 303) ctx.set('Location', '/')
  })

  return [...Object.values(ofLinks).flat(), signOut]
}

const page = (method: Route['method'], path: string, run: (ctx: Koa.Context) => Promise<void>): Route =>
  pageRoute(method, path, (ctx) => run(ctx).catch(spentLink))

/** People paste the whole link, too. Longer text is no token. */
const tokenIn = (given: string): string => /(?:#token=)?([\w-]{1,200})\s*$/.exec(given)?.[1] ?? ''

/** Whatever was wrong with a link, the answer is the same. */
function spentLink(error: unknown): never {
  if (!(error instanceof Refusal) || error.code !== 'not_found') throw error
  throw refuse('not_found', {
    detail:
      'this link does not work: it was used, withdrawn or replaced, or it has expired; ask for a new one',
  })
}
