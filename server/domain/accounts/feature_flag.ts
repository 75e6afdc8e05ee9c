// Switches for the operator. They are rows in the database, so that every server sees a change within seconds.
import type { EntityManager } from '@mikro-orm/postgresql'
import { refuse } from '../../kernel/refusal.ts'
import { db, NOW } from '../../store/statement.ts'

/** All switches, with their meaning and their default. */
export const FEATURE_FLAGS = {
  'webhooks.dispatch': { byDefault: true, meaning: 'send webhook deliveries' },
  'webhooks.prune': { byDefault: true, meaning: 'prune webhook deliveries older than 31 days' },
} as const satisfies Record<string, { byDefault: boolean; meaning: string }>

type FeatureFlag = keyof typeof FEATURE_FLAGS

const isFeatureFlag = (name: string): name is FeatureFlag => Object.hasOwn(FEATURE_FLAGS, name)

/** @throws invalid_argument when there is no such flag */
export async function setFeatureFlag(em: EntityManager, name: string, enabled: boolean): Promise<void> {
  if (!isFeatureFlag(name))
    throw refuse('invalid_argument', {
      path: ['name'],
      detail: `is none of ${Object.keys(FEATURE_FLAGS).join(', ')}`,
    })
  await db(em)
    .insertInto('feature_flags')
    .values({ name, enabled })
    .onConflict((known) => known.column('name').doUpdateSet({ enabled, updated_at: NOW }))
    .execute()
}

/** The present value of a switch. */
export async function readFeatureFlag(em: EntityManager, name: FeatureFlag): Promise<boolean> {
  const set = await db(em)
    .selectFrom('feature_flags')
    .select('enabled')
    .where('name', '=', name)
    .executeTakeFirst()
  return set?.enabled ?? FEATURE_FLAGS[name].byDefault
}
