// Where the authorization server keeps what it knows. Each kind of record goes to its own verbs.
import { type Adapter, type AdapterPayload, errors } from 'oidc-provider'
import { FIRST_PARTY_CLIENT } from '../../domain/accounts/scope.ts'
import { noteClientAsked, noteClientUse } from '../../domain/oauth/client.ts'
import { deleteGrant, findGrant, prolongGrant, saveGrant } from '../../domain/oauth/grant.ts'
import { findSession, findSessionByCookie, forgetCookie, saveSession } from '../../domain/oauth/session.ts'
import type { FoundPayload } from '../../domain/oauth/stored_payload.ts'
import {
  consumeTicket,
  deleteAccessToken,
  deleteTicket,
  endWornGrant,
  findAccessToken,
  findTicket,
  type NewTicket,
  saveAccessToken,
  saveRequest,
  saveTicket,
  type TicketKind,
} from '../../domain/oauth/token.ts'
import { networkKey } from '../../kernel/addresses.ts'
import { isReferenceGone } from '../../store/database_errors.ts'
import type { ClientMetadata } from './clients.ts'
import { AUTHORIZATION_PATH } from './plain_request.ts'
import { resourceAt } from './resources.ts'
import type { OauthHouse } from './serve_routes.ts'

interface AdapterParts extends Pick<OauthHouse, 'em' | 'forgetAccounts'> {
  readonly base: string
  /** The metadata of a client that is not built in. */
  readonly findClient: (id: string) => Promise<ClientMetadata | undefined>
  /** The address key of the request that is being answered. */
  readonly address: () => string
}

/** The records of one kind. What is missing is never asked for. */
type Records = Partial<Adapter>

export function createAdapter(parts: AdapterParts): (name: string) => Adapter {
  const kinds = new Map<string, Records>(
    Object.entries({
      Client: { find: async (id) => parts.findClient(id) },
      Session: sessions(parts),
      Grant: grants(parts),
      AccessToken: accessTokens(parts),
      AuthorizationCode: tickets(parts, 'code'),
      RefreshToken: tickets(parts, 'refresh_token'),
      Interaction: requests(parts),
    } satisfies Record<string, Records>),
  )
  return (name) => {
    const records = kinds.get(name)
    const unused = () => Promise.reject(new Error(`Nothing is stored of the kind ${name}.`))
    return {
      upsert: unused,
      find: unused,
      findByUid: unused,
      findByUserCode: unused,
      consume: unused,
      destroy: unused,
      // Codes and tokens end with the row of their grant. The library calls this where the grant goes on, too.
      revokeByGrantId: async () => undefined,
      ...records,
    }
  }
}

function sessions({ em }: AdapterParts): Records {
  return {
    // A session without an account is not stored. Its cookie leads to nothing, like any unknown cookie.
    upsert: async (cookie, { jti: _, ...payload }, seconds) => {
      const { uid, accountId, authorizations = {} } = payload
      if (accountId === undefined) return
      const known = Object.entries(authorizations).filter(([, { grantId }]) => grantId !== undefined)
      await saveSession(em('write'), {
        id: needed(uid, 'uid'),
        cookie,
        userId: accountId,
        payload: { ...payload, authorizations: Object.fromEntries(known) },
        seconds: needed(seconds, 'lifetime'),
      })
    },
    find: async (cookie) => restored(await findSessionByCookie(em('read'), cookie), cookie),
    findByUid: async (uid) => restored(await findSession(em('read'), uid), undefined),
    // Called when the cookie changes. What ends a session is `endSession`.
    destroy: async (cookie) => forgetCookie(em('write'), cookie),
  }
}

function grants({ em, forgetAccounts }: AdapterParts): Records {
  return {
    upsert: async (id, payload, seconds) => {
      const { accountId, clientId } = payload
      const resources: unknown = payload['resources' as keyof AdapterPayload]
      await saveGrant(em('write'), {
        id,
        userId: needed(accountId, 'account'),
        clientId: needed(clientId, 'client'),
        scopes: Object.values(resources ?? {}).flatMap((scope) => String(scope).split(' ')),
        payload: { ...payload },
        seconds: needed(seconds, 'lifetime'),
      })
      await noteClientUse(em('write'), needed(clientId, 'client'))
    },
    find: async (id) => restored(await findGrant(em('read'), id), id),
    destroy: async (id) => {
      await deleteGrant(em('write'), id)
      forgetAccounts()
    },
  }
}

function accessTokens({ em, base, forgetAccounts }: AdapterParts): Records {
  return {
    upsert: async (token, { jti: _, ...payload }, seconds) => {
      const resource = resourceAt(base, String(payload.aud ?? ''))
      if (resource === undefined) throw new errors.InvalidTarget()
      await orGone(
        saveAccessToken(em('write'), {
          token,
          grantId: needed(payload.grantId, 'grant'),
          sessionId: boundSession(payload),
          userId: needed(payload.accountId, 'account'),
          clientId: needed(payload.clientId, 'client'),
          resource,
          scopes: (payload.scope ?? '').split(' '),
          payload,
          seconds: needed(seconds, 'lifetime'),
        }),
      )
    },
    find: async (token) => restored(await findAccessToken(em('read'), token), token),
    destroy: async (token) => {
      await deleteAccessToken(em('write'), token)
      forgetAccounts()
    },
  }
}

function tickets({ em }: AdapterParts, kind: NewTicket['kind']): Records {
  return {
    ...storedTickets(em, kind),
    upsert: async (id, { jti: _, ...payload }, seconds) => {
      const lifetime = needed(seconds, 'lifetime')
      const grantId = needed(payload.grantId, 'grant')
      const sessionId = boundSession(payload)
      await orGone(saveTicket(em('write'), { kind, id, grantId, sessionId, payload, seconds: lifetime }))
      if (kind !== 'refresh_token') return
      await prolongGrant(em('write'), { id: grantId, seconds: lifetime })
      if (await endWornGrant(em('write'), grantId))
        throw new errors.InvalidGrant('the grant has ended: it was refreshed too often')
      const { clientId } = payload
      if (clientId !== undefined && clientId !== FIRST_PARTY_CLIENT)
        await noteClientUse(em('write'), clientId)
    },
    consume: async (id) => {
      if (!(await consumeTicket(em('write'), { kind, id })))
        throw new errors.InvalidGrant(`the ${kind.replace('_', ' ')} was used already`)
    },
  }
}

function requests({ em, base, address }: AdapterParts): Records {
  const { find, destroy } = storedTickets(em, 'interaction')
  return {
    destroy,
    upsert: async (id, { jti: _, returnTo: __, session, ...payload }, seconds) => {
      const account = session?.accountId
      const clientId = payload.params?.client_id
      // Before the request is there: from then on no registration ends the client.
      if (typeof clientId === 'string') await noteClientAsked(em('write'), clientId)
      await saveRequest(em('write'), {
        id,
        // It names the session that it belongs to, and would hold the secret of its cookie as well.
        payload: { ...payload, ...(session && { session: { accountId: account, uid: session.uid } }) },
        seconds: needed(seconds, 'lifetime'),
        of: account === undefined ? { network: networkKey(address()) } : { account },
      })
    },
    find: async (id) => {
      const found = await find(id)
      // Its address names it, so that is not stored either.
      return found && { ...found, returnTo: `${base}${AUTHORIZATION_PATH}/${id}` }
    },
  }
}

const storedTickets = (em: AdapterParts['em'], kind: TicketKind) => ({
  find: async (id: string) => restored(await findTicket(em('read'), { kind, id }), id),
  destroy: async (id: string) => deleteTicket(em('write'), { kind, id }),
})

const boundSession = ({ expiresWithSession, sessionUid }: AdapterPayload): string | null =>
  expiresWithSession === true && sessionUid !== undefined ? sessionUid : null

/**
 * The record as it was saved, with the secret that the row does not hold. Its times are those of the database, whatever
 * the clock of this server says.
 */
function restored(found: FoundPayload | undefined, jti: string | undefined): AdapterPayload | undefined {
  if (found === undefined) return undefined
  const now = Math.floor(Date.now() / 1_000)
  const iat = typeof found.payload.iat === 'number' ? { iat: Math.min(found.payload.iat, now) } : {}
  return {
    ...found.payload,
    ...iat,
    ...(jti === undefined ? {} : { jti }),
    exp: now + Math.max(1, found.leftSeconds),
    ...(found.isConsumed ? { consumed: true } : {}),
  }
}

/** The grant or the session ended while a token of it was being made. */
async function orGone(saving: Promise<void>): Promise<void> {
  try {
    await saving
  } catch (error) {
    if (isReferenceGone(error)) throw new errors.InvalidGrant('the grant has ended')
    throw error
  }
}

function needed<Value>(value: Value | undefined, name: string): Value {
  if (value === undefined) throw new Error(`A record of the authorization server has no ${name}.`)
  return value
}
