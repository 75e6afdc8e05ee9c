// Ends sessions whose credential or membership has ended, and updates roles. Expiry is checked every second; the
// database is queried every half minute.
import type { EntityManager } from '@mikro-orm/postgresql'
import { connectionEvents, type TokenExpired } from '../../../shared/wire/console_stream.ts'
import { validCredentials } from '../../domain/accounts/caller.ts'
import { readTenants } from '../../domain/accounts/tenant.ts'
import { endStreamSession, type Session } from './session.ts'
import type { Timing } from './timing.ts'

/** Warns once, `timing.expiryWarning` before the credential expires, and ends the session when it does. */
export function watchExpiry(session: Session, timing: Timing): void {
  const left = session.endsAt - performance.now()
  if (left <= 0) endStreamSession(session, 'expired', timing.ending)
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
    em(),
    asked.map(({ caller }) => caller.credential),
  )
  const members = await readTenants(
    em(),
    asked.map(({ caller, tenant }) => ({ userId: caller.userId, teamId: tenant.id })),
  )
  const standing = new Map(members.map(({ userId, tenant }) => [pairOf(userId, tenant.id), tenant]))
  for (const { session, caller, tenant } of asked) {
    const now = standing.get(pairOf(caller.userId, tenant.id))
    if (session.caller === caller && !valid.has(caller.credential.id))
      endStreamSession(session, 'revoked', timing.ending)
    else if (session.tenant !== tenant) continue
    else if (now === undefined) endStreamSession(session, 'left_team', timing.ending)
    else session.tenant = now
  }
}

const pairOf = (userId: string, teamId: string): string => `${userId} ${teamId}`
