// One line for each thing that the authorization server granted, refused or revoked, and its count. No secret is in
// them: clients, accounts and grants are named by their ids.
import type Provider from 'oidc-provider'
import type { errors, KoaContextWithOIDC } from 'oidc-provider'
import type { Log } from '../../kernel/log.ts'
import type { Metrics } from '../../kernel/metrics.ts'
import { noteAnswered } from '../http/identify.ts'

type Endpoint = 'authorize' | 'token' | 'register' | 'revoke'

type Facts = Readonly<Record<string, unknown>>

export type Recorder = ReturnType<typeof createRecorder>

export function createRecorder({ log, metrics }: { log: Log; metrics: Metrics }) {
  const record =
    (outcome: 'granted' | 'refused' | 'revoked') =>
    (endpoint: Endpoint, facts: Facts): void => {
      metrics.count('pharos_oauth_answers_total', { endpoint, outcome })
      log.info({ endpoint, ...facts }, `oauth.${outcome}`)
    }
  return Object.freeze({
    granted: record('granted'),
    refused: record('refused'),
    revoked: record('revoked'),
  })
}

/** What is repeated of a request that was refused. */
const TEXT_LENGTH = 200

export function recordEvents(provider: Provider, recorder: Recorder): void {
  const refusedAt = (endpoint: Endpoint) => (ctx: KoaContextWithOIDC, error: errors.OIDCProviderError) => {
    noteAnswered(ctx, { ...idsOf(ctx), codes: [error.error] })
    recorder.refused(endpoint, {
      ...idsOf(ctx),
      error: error.error,
      reason: (error.error_detail ?? error.error_description)?.slice(0, TEXT_LENGTH),
    })
  }
  provider.on('authorization.error', refusedAt('authorize'))
  provider.on('grant.error', refusedAt('token'))
  provider.on('revocation.error', refusedAt('revoke'))
  provider.on('authorization.success', (ctx) => {
    noteAnswered(ctx, idsOf(ctx))
    recorder.granted('authorize', { ...idsOf(ctx), scope: ctx.oidc.entities.AuthorizationCode?.scope })
  })
  provider.on('grant.success', (ctx) => {
    noteAnswered(ctx, idsOf(ctx))
    const { AccessToken: token, RotatedRefreshToken: rotated } = ctx.oidc.entities
    recorder.granted('token', {
      ...idsOf(ctx),
      grant_type: ctx.oidc.params?.grant_type,
      scope: token?.scope,
      resource: token?.aud,
      ...(rotated === undefined ? {} : { rotations: (rotated.rotations ?? 0) + 1 }),
    })
  })
  // At the token endpoint a grant ends because a code or a refresh token was used twice.
  provider.on('grant.revoked', (ctx, grant_id) =>
    recorder.revoked(ctx.oidc.route === 'revocation' ? 'revoke' : 'token', { ...idsOf(ctx), grant_id }),
  )
  provider.on('access_token.destroyed', ({ clientId, accountId, grantId }) =>
    recorder.revoked('revoke', { client_id: clientId, user_id: accountId, grant_id: grantId }),
  )
}

const idsOf = ({ oidc: { entities } }: KoaContextWithOIDC): Facts => ({
  client_id: entities.Client?.clientId,
  user_id: entities.Account?.accountId,
  ...(entities.Grant?.jti === undefined ? {} : { grant_id: entities.Grant.jti }),
})
