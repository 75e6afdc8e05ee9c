// When the service is to erase claims: a time that has passed already is a mistake.
import type { EntityManager } from '@mikro-orm/postgresql'
import { type Problem, problem } from '../../kernel/refusal.ts'
import { DATABASE_TIME } from '../../store/database_time.ts'
import { row } from '../../store/run.ts'

/** By the database's clock, which also decides when they are erased. It is asked once, and not at all without a time. */
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
