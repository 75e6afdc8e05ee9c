// Checks a requested expiry: a time in the past is refused.
import type { EntityManager } from '@mikro-orm/postgresql'
import { type Problem, problem } from '../../kernel/refusal.ts'
import { DATABASE_TIME } from '../../store/database_time.ts'
import { row } from '../../store/run.ts'

/**
 * Compares with the database's clock, because that clock also decides when claims are erased. Makes one query, or
 * none when no expiry is given.
 */
export async function expiryJudge(
  em: () => EntityManager,
  expiries: readonly (Date | null | undefined)[],
): Promise<(expiresAt: Date | null | undefined) => Problem[]> {
  if (!expiries.some((at) => at)) return () => []
  const { now_ms } = await row(em(), DATABASE_TIME)
  return (expiresAt) => (expiresAt && expiresAt.getTime() <= now_ms ? [PAST] : [])
}

export const PAST: Problem = Object.freeze(
  problem('invalid_attribute', { path: ['expires_at'], detail: 'lies in the past' }),
)
