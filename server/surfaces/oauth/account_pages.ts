// The pages of one-time links, and signing out: what people reach without an application that sent them.
import type { EntityManager } from '@mikro-orm/postgresql'
import type Koa from 'koa'
import type { ClientAddress } from '../../admission/client_address.ts'
import type { AccountDoor } from '../../domain/accounts/account_door.ts'
import type { OpenInvitation } from '../../domain/accounts/invite_member.ts'
import { type LinkKind, ONE_TIME_LINKS } from '../../domain/accounts/one_time_link.ts'
import { activeEmail } from '../../domain/oauth/account.ts'
import { addressKey } from '../../kernel/address_key.ts'
import { Refusal, refuse } from '../../kernel/refusal.ts'
import type { BrowserSessions } from './browser_session.ts'
import { type Form, type FormTokens, readForm, requireOwnOrigin } from './form_guard.ts'
import { answerPage } from './pages/answer_page.ts'
import { triedIn } from './pages/form_parts.ts'
import { choosePasswordPage, type InvitationPage, invitationPage } from './pages/invitation_page.ts'
import { linkPage, messagePage } from './pages/message_page.ts'
import type { Route } from './serve_routes.ts'

interface AccountPagesParts {
  readonly base: () => string
  readonly em: (purpose: 'read') => EntityManager
  readonly accounts: AccountDoor
  readonly sessions: BrowserSessions
  readonly formTokens: FormTokens
  readonly clientAddress: ClientAddress
}

interface AccountPage {
  readonly path: string
  readonly method: Route['method']
  readonly run: (ctx: Koa.Context) => Promise<void>
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

export function accountPages(parts: AccountPagesParts): readonly Route[] {
  const { base, em, accounts, sessions, formTokens, clientAddress } = parts
  const addressOf = (ctx: Koa.Context): string => addressKey(clientAddress(ctx.req))

  /** Reads a form that one of our pages posted, with the link that it is about. */
  const posted = async (ctx: Koa.Context, purpose: LinkKind): Promise<{ form: Form; link: Link }> => {
    requireOwnOrigin(ctx, base())
    const form = await readForm(ctx)
    formTokens.require(ctx, form, purpose)
    return { form, link: { token: tokenIn(form.get('token') ?? ''), address: addressOf(ctx) } }
  }

  const opened = (purpose: LinkKind, title: string) => async (ctx: Koa.Context) => {
    const { path: action } = ONE_TIME_LINKS[purpose]
    answerPage(ctx, linkPage({ title, action, csrf: formTokens.issue(ctx, purpose) }))
  }

  const showInvitation = async (
    ctx: Koa.Context,
    { token }: Link,
    invitation: OpenInvitation,
    tried: Partial<Pick<InvitationPage, 'problem' | 'typed'>> & { readonly status?: number } = {},
  ): Promise<void> => {
    const { status = 200, ...shown } = tried
    const userId = await sessions.accountOf(ctx)
    const signedInAs = userId === undefined ? undefined : await activeEmail(em('read'), userId)
    const csrf = formTokens.issue(ctx, 'invitation')
    answerPage(ctx, invitationPage({ ...invitation, ...shown, token, signedInAs, actions: ACTIONS, csrf }), {
      status,
    })
  }

  const joined = (ctx: Koa.Context, { team, role }: OpenInvitation): void => {
    const text = `You belong to ${team} now, as ${role}.`
    answerPage(ctx, messagePage({ title: 'Welcome', text, link: CONSOLE }))
  }

  /** Shows what was wrong on the page itself, where the person can try again. */
  const orAgain = async (
    ctx: Koa.Context,
    link: Link,
    invitation: OpenInvitation,
    typed: InvitationPage['typed'],
    act: () => Promise<void>,
  ): Promise<void> => {
    try {
      await act()
    } catch (error) {
      if (isSpent(error)) throw error
      await showInvitation(ctx, link, invitation, { ...triedIn(ctx, error), ...(typed && { typed }) })
    }
  }

  const invitationPages: readonly AccountPage[] = [
    { path: INVITATION, method: 'GET', run: opened('invitation', 'Invitation') },
    {
      path: INVITATION,
      method: 'POST',
      run: async (ctx) => {
        const { link } = await posted(ctx, 'invitation')
        await showInvitation(ctx, link, await accounts.readInvitation(link))
      },
    },
    {
      path: ACTIONS.accept,
      method: 'POST',
      run: async (ctx) => {
        const { link } = await posted(ctx, 'invitation')
        const invitation = await accounts.readInvitation(link)
        const userId = await sessions.accountOf(ctx)
        if (userId === undefined) return showInvitation(ctx, link, invitation)
        await accounts.acceptInvitation(userId, link)
        joined(ctx, invitation)
      },
    },
    {
      path: ACTIONS.otherAccount,
      method: 'POST',
      run: async (ctx) => {
        const { link } = await posted(ctx, 'invitation')
        const invitation = await accounts.readInvitation(link)
        await sessions.signOut(ctx)
        await showInvitation(ctx, link, invitation)
      },
    },
    {
      path: ACTIONS.signIn,
      method: 'POST',
      run: async (ctx) => {
        const { form, link } = await posted(ctx, 'invitation')
        const invitation = await accounts.readInvitation(link)
        const email = form.get('email') ?? ''
        const password = form.get('password') ?? ''
        await orAgain(ctx, link, invitation, { email }, async () => {
          const { address } = link
          const proven = await accounts.signIn({ email, password, address, devices: sessions.devicesOf(ctx) })
          await sessions.signIn(ctx, proven)
          await accounts.acceptInvitation(proven.userId, link)
          joined(ctx, invitation)
        })
      },
    },
    {
      path: ACTIONS.signUp,
      method: 'POST',
      run: async (ctx) => {
        const { form, link } = await posted(ctx, 'invitation')
        const invitation = await accounts.readInvitation(link)
        const names = { firstName: form.get('first_name') ?? '', lastName: form.get('last_name') ?? '' }
        const newPassword = form.get('new_password') ?? ''
        await orAgain(ctx, link, invitation, names, async () => {
          await sessions.signIn(ctx, await accounts.signUpInvited({ ...link, ...names, newPassword }))
          joined(ctx, invitation)
        })
      },
    },
  ]

  const resetPages: readonly AccountPage[] = [
    { path: RESET, method: 'GET', run: opened('password_reset', 'Choose a password') },
    {
      path: RESET,
      method: 'POST',
      run: async (ctx) => {
        const { link } = await posted(ctx, 'password_reset')
        const reset = await accounts.readPasswordReset(link)
        const csrf = formTokens.issue(ctx, 'password_reset')
        answerPage(ctx, choosePasswordPage({ ...reset, action: CHOOSE, token: link.token, csrf }))
      },
    },
    {
      path: CHOOSE,
      method: 'POST',
      run: async (ctx) => {
        const { form, link } = await posted(ctx, 'password_reset')
        try {
          await accounts.choosePassword({ ...link, newPassword: form.get('new_password') ?? '' })
        } catch (error) {
          if (isSpent(error)) throw error
          const { problem, status } = triedIn(ctx, error)
          const reset = await accounts.readPasswordReset(link)
          const csrf = formTokens.issue(ctx, 'password_reset')
          const again = choosePasswordPage({ ...reset, action: CHOOSE, token: link.token, problem, csrf })
          return answerPage(ctx, again, { status })
        }
        await sessions.signOut(ctx)
        answerPage(
          ctx,
          messagePage({ title: 'The password is set', text: 'Sign in with it now.', link: CONSOLE }),
        )
      },
    },
  ]

  const signOut: AccountPage = {
    path: '/oauth/sign-out',
    method: 'POST',
    run: async (ctx) => {
      requireOwnOrigin(ctx, base())
      await sessions.signOut(ctx)
      ctx.set('Cache-Control', 'no-store')
      ctx.body = null
      // The console asks by itself and needs no page. The status is set last: an absent body changes it.
      ctx.status = ctx.get('Sec-Fetch-Mode') === 'navigate' ? 303 : 204
      if (ctx.status === 303) ctx.set('Location', '/')
    },
  }

  const ofLinks: Readonly<Record<LinkKind, readonly AccountPage[]>> = {
    invitation: invitationPages,
    password_reset: resetPages,
  }
  return [...Object.values(ofLinks).flat(), signOut].map(({ path, method, run }) => ({
    path: new RegExp(`^${path}$`),
    method,
    answers: 'page',
    run: (ctx) => run(ctx).catch(spentLink),
  }))
}

interface Link {
  readonly token: string
  readonly address: string
}

/** People paste the whole link, too. Longer text is no token. */
const tokenIn = (given: string): string => /(?:#token=)?([\w-]{1,200})\s*$/.exec(given)?.[1] ?? ''

const isSpent = (error: unknown): boolean => error instanceof Refusal && error.code === 'not_found'

/** Whatever was wrong with a link, the answer is the same. */
function spentLink(error: unknown): never {
  if (!isSpent(error)) throw error
  throw refuse('not_found', {
    detail:
      'this link does not work: it was used, withdrawn or replaced, or it has expired; ask for a new one',
  })
}
