// An authorization request that waits for the person. It belongs to the browser that made it.
import type Koa from 'koa'
import type Provider from 'oidc-provider'
import type { Client, InteractionResults } from 'oidc-provider'
import { refuse } from '../../kernel/refusal.ts'
import type { BrowserSessions, SignedIn } from './browser_session.ts'
import { cookieNames, cookieOptions } from './cookies.ts'

type Interaction = InstanceType<Provider['Interaction']>

export interface WaitingInteraction {
  readonly interaction: Interaction
  readonly client: Client
  /** Who is signed in, when the request was made by a signed-in person. */
  readonly signedIn: SignedIn | undefined
}

/**
 * Finds the request whose id the address and a cookie of this browser name.
 * @throws not_found also when another person is signed in now than when the request was made
 */
export async function waitingInteraction(
  ctx: Koa.Context,
  uid: string,
  {
    provider,
    sessions,
  }: { readonly provider: Provider; readonly sessions: Pick<BrowserSessions, 'current'> },
): Promise<WaitingInteraction> {
  const cookie = ctx.cookies.get(cookieNames(provider.issuer).interaction, cookieOptions.short)
  const interaction = cookie === uid ? await provider.Interaction.find(uid) : undefined
  if (interaction === undefined) throw refuse('not_found')
  const signedIn = await sessions.current(ctx)
  const { session } = interaction
  if (
    session !== undefined &&
    (session.uid !== signedIn?.sessionId || session.accountId !== signedIn?.userId)
  )
    throw refuse('not_found')
  const client = await provider.Client.find(String(interaction.params.client_id))
  if (client === undefined) throw refuse('not_found')
  return { interaction, client, signedIn: session === undefined ? undefined : signedIn }
}

/** Goes on with the request. What was answered before counts too, e.g. the sign-in before the consent. */
export async function answerInteraction(
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
