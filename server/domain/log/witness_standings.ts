// Reports which witnesses are missing, for monitoring.
import type { EntityManager } from '@mikro-orm/postgresql'
import { witnessRows } from './witness_rows.ts'
import type { Witnessing } from './witnessing.ts'

export interface WitnessStanding {
  /** `name+id` of its key. */
  readonly witness: string
  /** The last time that it cosigned. ISO 8601, null before the first time. */
  readonly cosigned_at: string | null
  /** Since when it has not cosigned what it was offered. Null when it cosigned the last time. */
  readonly missing_since: string | null
  /** Why: one word of a closed set. */
  readonly trouble: string | null
}

/** In the order of the policy. Makes one statement. */
export async function witnessStandings(
  { em }: { em: EntityManager },
  { witnesses }: Witnessing,
  log: number,
): Promise<WitnessStanding[]> {
  const found = await witnessRows(
    { em },
    log,
    witnesses.map(({ label }) => label),
  )
  return witnesses.map(({ label }) => {
    const row = found.find(({ key }) => key === label)
    return {
      witness: label,
      cosigned_at: row?.cosigned_at ?? null,
      missing_since: row?.missing_since ?? null,
      trouble: row?.trouble ?? null,
    }
  })
}
