// The pages between an authorization request and its answer: sign-in, sign-up and consent.
import type { EntityManager } from '@mikro-orm/postgresql'
import type Koa from 'koa'
import type Provider from 'oidc-provider'
import type { ClientAddress } from '../../admission/client_address.ts'
import type { AccountDoor } from '../../domain/accounts/account_door.ts'
import { FIRST_PARTY_CLIENT } from '../../domain/accounts/scope.ts'
import type { Proven } from '../../domain/accounts/sign_in.ts'
import { activeEmail } from '../../domain/oauth/account.ts'
import { describeGrant, listGrants, MOST_GRANTS } from '../../domain/oauth/grant.ts'
import { isLoopbackRedirect, redirectHost } from '../../domain/oauth/redirect_uri.ts'
import { addressKey } from '../../kernel/address_key.ts'
import { refuse } from '../../kernel/refusal.ts'
import type { Html } from '../http/html.ts'
import type { BrowserSessions } from './browser_session.ts'
import { newGrant } from './create_provider.ts'
import { type Form, type FormTokens, readForm, requireOwnOrigin } from './form_guard.ts'
import { answerInteraction, type WaitingInteraction, waitingInteraction } from './interaction.ts'
import { answerPage } from './pages/answer_page.ts'
import { consentPage } from './pages/consent_page.ts'
import { type FormProblem, triedIn } from './pages/form_parts.ts'
import { signInPage, signUpPage } from './pages/sign_in_page.ts'
import { isOptional, isScope, SCOPE_MEANINGS } from './resources.ts'

/** What proves who a person is. */
export type SignInDoor = Pick<AccountDoor, 'signIn' | 'signUpIsOpen' | 'signUp'>

interface InteractionParts {
  readonly provider: () => Provider
  readonly em: (purpose: 'read' | 'write') => EntityManager
  readonly sessions: BrowserSessions
  readonly accounts: SignInDoor
  readonly formTokens: FormTokens
  readonly clientAddress: ClientAddress
}

/** What is done with a form, by the last part of its address. */
type Step = (ctx: Koa.Context, waiting: WaitingInteraction, form: Form) => Promise<void>

interface InteractionPages {
  readonly show: (ctx: Koa.Context, uid: string) => Promise<void>
  readonly showSignUp: (ctx: Koa.Context, uid: string) => Promise<void>
  readonly submit: (ctx: Koa.Context, uid: string, step: InteractionStep) => Promise<void>
}

export const INTERACTION_STEPS = ['sign-in', 'sign-up', 'consent', 'cancel', 'other-account'] as const

type InteractionStep = (typeof INTERACTION_STEPS)[number]

export function createInteractionPages(parts: InteractionParts): InteractionPages {
  const { provider, em, sessions, accounts, formTokens } = parts
  const load = (ctx: Koa.Context, uid: string) =>
    waitingInteraction(ctx, uid, { provider: provider(), sessions })
  const addressOf = (ctx: Koa.Context): string => addressKey(parts.clientAddress(ctx.req))
  const at = ({ interaction }: WaitingInteraction, step = ''): string =>
    `/oauth/interaction/${interaction.uid}${step}`
  const purpose = ({ interaction }: WaitingInteraction): string => `interaction ${interaction.uid}`

  const answer = (ctx: Koa.Context, { interaction }: WaitingInteraction, page: Html, status = 200): void =>
    answerPage(ctx, page, { status, redirectUri: textOf(interaction.params.redirect_uri) })

  const showSignIn = (ctx: Koa.Context, waiting: WaitingInteraction, tried: Tried = {}): void => {
    const hint = textOf(waiting.interaction.params.login_hint)?.slice(0, HINT_LENGTH)
    const page = signInPage({
      action: at(waiting, '/sign-in'),
      cancel: at(waiting, '/cancel'),
      signUp: accounts.signUpIsOpen ? at(waiting, '/sign-up') : undefined,
      clientName: waiting.client.clientName,
      isOwn: waiting.client.clientId === FIRST_PARTY_CLIENT,
      email: tried.email ?? hint,
      problem: tried.problem,
      csrf: formTokens.issue(ctx, purpose(waiting)),
    })
    answer(ctx, waiting, page, tried.status)
  }

  const showSignUp = (ctx: Koa.Context, waiting: WaitingInteraction, tried: Tried = {}): void => {
    const page = signUpPage({
      action: at(waiting, '/sign-up'),
      signIn: at(waiting),
      cancel: at(waiting, '/cancel'),
      clientName: waiting.client.clientName,
      isOwn: waiting.client.clientId === FIRST_PARTY_CLIENT,
      email: tried.email,
      firstName: tried.firstName,
      lastName: tried.lastName,
      problem: tried.problem,
      csrf: formTokens.issue(ctx, purpose(waiting)),
    })
    answer(ctx, waiting, page, tried.status)
  }

  const showConsent = async (ctx: Koa.Context, waiting: WaitingInteraction): Promise<void> => {
    const { interaction, client, signedIn } = waiting
    if (signedIn === undefined) throw refuse('not_found')
    const redirectUri = textOf(interaction.params.redirect_uri) ?? ''
    const asked = askedScopes(waiting)
    const grants = await listGrants(em('read'), { userId: signedIn.userId, limit: MOST_GRANTS })
    const before = grants.flatMap(({ client_id, scopes }) => (client_id === client.clientId ? scopes : []))
    const page = consentPage({
      action: at(waiting, '/consent'),
      cancel: at(waiting, '/cancel'),
      otherAccount: at(waiting, '/other-account'),
      clientName: client.clientName ?? client.clientId,
      redirectHost: redirectHost(redirectUri),
      isLoopback: isLoopbackRedirect(redirectUri),
      scopes: asked.map((name) => ({
        name,
        meaning: SCOPE_MEANINGS[name],
        isOptional: isOptional(name, asked),
      })),
      keepsUnticked: asked.some((name) => isOptional(name, asked) && before.includes(name)),
      email: (await activeEmail(em('read'), signedIn.userId)) ?? '',
      csrf: formTokens.issue(ctx, purpose(waiting)),
    })
    answer(ctx, waiting, page)
  }

  /** The request goes on with the person who has just signed in, whoever it was before. */
  const goOnAs = async (
    ctx: Koa.Context,
    { interaction }: WaitingInteraction,
    proven: Proven,
  ): Promise<void> => {
    const { userId, sessionId } = await sessions.signIn(ctx, proven)
    // The secret of the cookie is not kept.
    interaction.session = { accountId: userId, uid: sessionId, cookie: '' }
    interaction.grantId = undefined
    await answerInteraction(ctx, interaction, { login: { accountId: userId } })
  }

  const steps: Readonly<Record<InteractionStep, Step>> = {
    'sign-in': async (ctx, waiting, form) => {
      const email = form.get('email') ?? ''
      const password = form.get('password') ?? ''
      const devices = sessions.devicesOf(ctx)
      try {
        const proven = await accounts.signIn({ email, password, address: addressOf(ctx), devices })
        await goOnAs(ctx, waiting, proven)
      } catch (error) {
        showSignIn(ctx, waiting, { email, ...triedIn(ctx, error) })
      }
    },
    'sign-up': async (ctx, waiting, form) => {
      const email = form.get('email') ?? ''
      const names = { firstName: form.get('first_name') ?? '', lastName: form.get('last_name') ?? '' }
      const newPassword = form.get('new_password') ?? ''
      try {
        const proven = await accounts.signUp({ email, ...names, newPassword, address: addressOf(ctx) })
        await goOnAs(ctx, waiting, proven)
      } catch (error) {
        showSignUp(ctx, waiting, { email, ...names, ...triedIn(ctx, error) })
      }
    },
    consent: async (ctx, waiting, form) => {
      const { interaction, client, signedIn } = waiting
      if (signedIn === undefined || interaction.prompt.name !== 'consent') throw refuse('not_found')
      const { Grant } = provider()
      const { grantId } = interaction
      const wanted = { accountId: signedIn.userId, clientId: client.clientId }
      const known = grantId === undefined ? undefined : await Grant.find(grantId)
      const isOwn = known?.accountId === wanted.accountId && known.clientId === wanted.clientId
      const resource = resourceIn(waiting)
      const asked = askedScopes(waiting)
      const agreed = asked.filter((scope) => form.has(scope) || !isOptional(scope, asked))
      const before = known?.getResourceScope(resource).split(' ') ?? []
      // What was allowed before stays with what was given for it then, and with nothing that comes of this request.
      const isLess = asked.some((scope) => before.includes(scope) && !agreed.includes(scope))
      const grant = known !== undefined && isOwn && !isLess ? known : newGrant(provider(), wanted)
      grant.addResourceScope(resource, agreed.join(' '))
      const id = await grant.save()
      // The request goes on as if this alone had been asked for, and the client is told what it got.
      interaction.params = { ...interaction.params, scope: agreed.join(' ') }
      const redirectUri = textOf(interaction.params.redirect_uri) ?? ''
      await describeGrant(em('write'), {
        id,
        clientName: client.clientName ?? '',
        redirectHost: redirectHost(redirectUri),
      })
      await answerInteraction(ctx, interaction, { consent: { grantId: id } })
    },
    cancel: (ctx, { interaction }) =>
      answerInteraction(ctx, interaction, {
        error: 'access_denied',
        error_description: 'the person did not agree',
      }),
    'other-account': async (ctx, waiting) => showSignIn(ctx, waiting),
  }

  return Object.freeze({
    show: async (ctx: Koa.Context, uid: string) => {
      const waiting = await load(ctx, uid)
      if (waiting.interaction.prompt.name === 'consent') return showConsent(ctx, waiting)
      showSignIn(ctx, waiting)
    },
    showSignUp: async (ctx: Koa.Context, uid: string) => {
      if (!accounts.signUpIsOpen) throw refuse('not_found')
      showSignUp(ctx, await load(ctx, uid))
    },
    submit: async (ctx: Koa.Context, uid: string, step: InteractionStep) => {
      requireOwnOrigin(ctx, provider().issuer)
      const form = await readForm(ctx)
      const waiting = await load(ctx, uid)
      formTokens.require(ctx, form, purpose(waiting))
      await steps[step](ctx, waiting, form)
    },
  })
}

/** What a person typed, and why it was refused. */
interface Tried {
  readonly email?: string
  readonly firstName?: string
  readonly lastName?: string
  readonly problem?: FormProblem
  readonly status?: number
}

/** An address of this length fits in every field. */
const HINT_LENGTH = 254

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

const askedScopes = ({ interaction }: WaitingInteraction) =>
  (textOf(interaction.params.scope) ?? '').split(' ').filter(isScope)

function resourceIn({ interaction }: WaitingInteraction): string {
  const resource = [interaction.params.resource].flat()[0]
  if (typeof resource !== 'string') throw new Error('The request has no resource.')
  return resource
}
