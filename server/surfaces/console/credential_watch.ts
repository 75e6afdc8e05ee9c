// Ends sessions whose credential or membership has ended, and updates roles. Expiry is checked every second; the
// database is queried every half minute.
import type { EntityManager } from '@mikro-orm/postgresql'
import { connectionEvents, type TokenExpired } from '../../../shared/wire/console_stream.ts'
import { readTenants } from '../../domain/accounts/tenant.ts'
import { validCredentials } from '../../domain/accounts/valid_credentials.ts'
import { endSession, type Session } from './session.ts'

export const TIMING = {
  /** Time for a connection to join the namespace, after which it is closed. Slightly longer than a handshake. */
  join: 6_000,
  /** Time to look up the credential of a handshake. After it, the answer is `database_unavailable`. */
  handshake: 5_000,
  pingInterval: 25_000,
  pingTimeout: 20_000,
  /** Interval between checks of unsent data and expiry. */
  sweep: 1_000,
  /** Time between `token.expired` and the end of the credential. */
  expiryWarning: 30_000,
  /** Interval between checks for revoked credentials and lost memberships. A revoked session ends within 60 s. */
  credentials: 30_000,
  /** Time from a notice about accounts to the check. Notices that arrive meanwhile share it. */
  credentialsNotice: 1_000,
  /** Time until the next check after a failed one. */
  credentialsRetry: 5_000,
  /** Interval between reads of facts while anybody listens. A poke also starts a read. */
  facts: 1_000,
  /** Time over which events above the rate are summed up. */
  burst: 1_000,
  /** Time for a connection to end after it was closed, and for the whole stop of a server. */
  ending: 1_000,
} as const

export type Timing = { readonly [name in keyof typeof TIMING]: number }

/** Warns once, `timing.expiryWarning` before the credential expires, and ends the session when it does. */
export function watchExpiry(session: Session, timing: Timing): void {
  const left = session.endsAt - performance.now()
  if (left <= 0) endSession(session, 'expired', timing.ending)
  if (left <= 0 || session.warned || left > timing.expiryWarning) return
  session.warned = true
  const { expiresAt } = session.caller.credential
  if (expiresAt === null) return
  const body: TokenExpired = { expires_at: new Date(expiresAt).toISOString() }
  session.socket.emit(connectionEvents.tokenExpired, body)
}

/**
 * Runs two queries for all sessions of a server. A session that changed its credential or team during the queries is
 * skipped until the next time, because the result does not apply to it.
 */
export async function watchCredentials(
  { em }: { em: () => EntityManager },
  sessions: ReadonlySet<Session>,
  timing: Timing,
): Promise<void> {
  const asked = [...sessions].map((session) => ({ session, caller: session.caller, tenant: session.tenant }))
  if (asked.length === 0) return
  const valid = await validCredentials(
    { em: em() },
    asked.map(({ caller }) => caller.credential),
  )
  const members = await readTenants(
    { em: em() },
    asked.map(({ caller, tenant }) => ({ userId: caller.userId, teamId: tenant.id })),
  )
  const standing = new Map(members.map(({ userId, tenant }) => [pairOf(userId, tenant.id), tenant]))
  for (const { session, caller, tenant } of asked) {
    const now = standing.get(pairOf(caller.userId, tenant.id))
    if (session.caller === caller && !valid.has(caller.credential.id))
      endSession(session, 'revoked', timing.ending)
    else if (session.tenant !== tenant) continue
    else if (now === undefined) endSession(session, 'left_team', timing.ending)
    else session.tenant = now
  }
}

const pairOf = (userId: string, teamId: string): string => `${userId} ${teamId}`
