// The pages between an authorization request and its answer: sign-in, sign-up and consent. The request waits for the
// person, and belongs to the browser that made it.
import type Koa from 'koa'
import type Provider from 'oidc-provider'
import type { Client, InteractionResults } from 'oidc-provider'
import { FIRST_PARTY_CLIENT } from '../../domain/accounts/scope.ts'
import type { Proven } from '../../domain/accounts/sign_in.ts'
import { activeEmail } from '../../domain/accounts/user.ts'
import { isLoopbackRedirect, redirectHost } from '../../domain/oauth/described_client.ts'
import { describeGrant, listGrants, MOST_GRANTS } from '../../domain/oauth/grant.ts'
import { addressKey } from '../../kernel/addresses.ts'
import { found, refuse } from '../../kernel/refusal.ts'
import type { Html } from '../http/html.ts'
import { type BrowserSessions, cookieNames, cookieOptions, type SignedIn } from './browser_session.ts'
import { newGrant } from './create_provider.ts'
import { typedIn } from './form_guard.ts'
import { orAgain, type Tried } from './pages/form.ts'
import { consentPage, signInPage, signUpPage } from './pages/form_pages.ts'
import { answerPage } from './pages/page.ts'
import { isOptional, isScope, SCOPE_MEANINGS } from './resources.ts'
import { type OauthHouse, pageRoute, type Route } from './serve_routes.ts'

type Interaction = InstanceType<Provider['Interaction']>

interface Waiting {
  readonly interaction: Interaction
  readonly client: Client
  /** Who is signed in, when the request was made by a signed-in person. */
  readonly signedIn: SignedIn | undefined
}

/** What is done with a form that was posted. */
type Step = (ctx: Koa.Context, waiting: Waiting, form: ReadonlyMap<string, string>) => Promise<unknown>

export function interactionPages(
  { em, accounts, formTokens, clientAddress }: OauthHouse,
  provider: () => Provider,
  sessions: BrowserSessions,
): readonly Route[] {
  const addressOf = (ctx: Koa.Context): string => addressKey(clientAddress(ctx.req))
  const at = ({ interaction }: Waiting, step = ''): string => `/oauth/interaction/${interaction.uid}${step}`
  const purposeOf = (uid: string): string => `interaction ${uid}`

  /**
   * Finds the request whose id the address and a cookie of this browser name.
   * @throws not_found also when another person is signed in now than when the request was made
   */
  const find = async (ctx: Koa.Context, uid: string): Promise<Waiting> => {
    const { issuer, Interaction, Client } = provider()
    const cookie = ctx.cookies.get(cookieNames(issuer).interaction, cookieOptions.short)
    const interaction = found(cookie === uid ? await Interaction.find(uid) : undefined)
    const signedIn = await sessions.current(ctx)
    const { session } = interaction
    if (
      session !== undefined &&
      (session.uid !== signedIn?.sessionId || session.accountId !== signedIn?.userId)
    )
      throw refuse('not_found')
    const client = found(await Client.find(String(interaction.params.client_id)))
    return { interaction, client, signedIn: session === undefined ? undefined : signedIn }
  }

  const shows = (path: string, show: (ctx: Koa.Context, waiting: Waiting) => unknown): Route =>
    pageRoute('GET', `${INTERACTION}${path}`, async (ctx, [uid = '']) => {
      await show(ctx, await find(ctx, uid))
    })

  const posts = (path: string, step: Step): Route =>
    pageRoute('POST', `${INTERACTION}${path}`, async (ctx, [uid = '']) => {
      const form = await formTokens.posted(ctx, purposeOf(uid))
      await step(ctx, await find(ctx, uid), form)
    })

  const answer = (ctx: Koa.Context, { interaction }: Waiting, page: Html, status?: number): void =>
    answerPage(ctx, page, status, textOf(interaction.params.redirect_uri))

  /** What every page of the request has. */
  const common = (ctx: Koa.Context, waiting: Waiting) => ({
    cancel: at(waiting, '/cancel'),
    csrf: formTokens.issue(ctx, purposeOf(waiting.interaction.uid)),
  })

  const destination = ({ client }: Waiting) => ({
    clientName: client.clientName,
    isOwn: client.clientId === FIRST_PARTY_CLIENT,
  })

  const showSignIn = (ctx: Koa.Context, waiting: Waiting, { email, problem, status }: Tried = {}): void => {
    const hint = textOf(waiting.interaction.params.login_hint)?.slice(0, HINT_LENGTH)
    const page = signInPage({
      ...common(ctx, waiting),
      ...destination(waiting),
      action: at(waiting, '/sign-in'),
      signUp: accounts.signUpIsOpen ? at(waiting, '/sign-up') : undefined,
      email: email ?? hint,
      problem,
    })
    answer(ctx, waiting, page, status)
  }

  const showSignUp = (ctx: Koa.Context, waiting: Waiting, { status, ...tried }: Tried = {}): void => {
    const action = at(waiting, '/sign-up')
    const shown = { ...common(ctx, waiting), ...destination(waiting), ...tried, action, signIn: at(waiting) }
    answer(ctx, waiting, signUpPage(shown), status)
  }

  const showConsent = async (ctx: Koa.Context, waiting: Waiting): Promise<void> => {
    const { interaction, client } = waiting
    const signedIn = found(waiting.signedIn)
    const redirectUri = textOf(interaction.params.redirect_uri) ?? ''
    const asked = askedScopes(waiting)
    const grants = await listGrants(em('read'), { userId: signedIn.userId, limit: MOST_GRANTS })
    const before = grants.flatMap(({ client_id, scopes }) => (client_id === client.clientId ? scopes : []))
    const page = consentPage({
      ...common(ctx, waiting),
      action: at(waiting, '/consent'),
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
    })
    answer(ctx, waiting, page)
  }

  /** The request goes on with the person who has just signed in, whoever it was before. */
  const resumeAs = async (ctx: Koa.Context, { interaction }: Waiting, proven: Proven): Promise<void> => {
    const { userId, sessionId } = await sessions.signIn(ctx, proven)
    // The secret of the cookie is not kept.
    interaction.session = { accountId: userId, uid: sessionId, cookie: '' }
    interaction.grantId = undefined
    await answerInteraction(ctx, interaction, { login: { accountId: userId } })
  }

  const consent: Step = async (ctx, waiting, form) => {
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
  }

  return [
    shows('', (ctx, waiting) =>
      waiting.interaction.prompt.name === 'consent' ? showConsent(ctx, waiting) : showSignIn(ctx, waiting),
    ),
    shows('/sign-up', (ctx, waiting) => {
      if (!accounts.signUpIsOpen) throw refuse('not_found')
      showSignUp(ctx, waiting)
    }),
    posts('/sign-in', (ctx, waiting, form) => {
      const { email, password } = typedIn(form)
      const given = { email, password, address: addressOf(ctx), devices: sessions.devicesOf(ctx) }
      const signIn = async () => resumeAs(ctx, waiting, await accounts.signIn(given))
      return orAgain(ctx, signIn, (tried) => showSignIn(ctx, waiting, { ...tried, email }))
    }),
    posts('/sign-up', (ctx, waiting, form) => {
      const { password: _, newPassword, ...typed } = typedIn(form)
      const given = { ...typed, newPassword, address: addressOf(ctx) }
      const signUp = async () => resumeAs(ctx, waiting, await accounts.signUp(given))
      return orAgain(ctx, signUp, (tried) => showSignUp(ctx, waiting, { ...tried, ...typed }))
    }),
    posts('/consent', consent),
    posts('/cancel', (ctx, { interaction }) =>
      answerInteraction(ctx, interaction, {
        error: 'access_denied',
        error_description: 'the person did not agree',
      }),
    ),
    posts('/other-account', async (ctx, waiting) => showSignIn(ctx, waiting)),
  ]
}

/** A pattern, with the id of the request. */
const INTERACTION = '/oauth/interaction/([\\w-]{1,64})'

/** Goes on with the request. What was answered before counts too, e.g. the sign-in before the consent. */
async function answerInteraction(
  ctx: Koa.Context,
  interaction: Interaction,
  result: InteractionResults,
): Promise<void> {
  interaction.result = 'error' in result ? result : { ...interaction.lastSubmission, ...result }
  await interaction.save(Math.max(1, interaction.exp - Math.floor(Date.now() / 1_000)))
  ctx.status = 303
  ctx.set('Location', interaction.returnTo)
  ctx.set('Cache-Control', 'no-store')
  ctx.body = ''
}

/** An address of this length fits in every field. */
const HINT_LENGTH = 254

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

const askedScopes = ({ interaction }: Waiting) =>
  (textOf(interaction.params.scope) ?? '').split(' ').filter(isScope)

function resourceIn({ interaction }: Waiting): string {
  const resource = [interaction.params.resource].flat()[0]
  if (typeof resource !== 'string') throw new Error('The request has no resource.')
  return resource
}
