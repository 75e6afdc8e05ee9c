// A replica that takes lists and counts. It is used while it answers and is not far behind the primary.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { repeat } from '../kernel/flow/repeat.ts'
import { bool, nullable, text } from './columns.ts'
import { FullDisk } from './full_disk.ts'
import { openOrm, type StoreOptions } from './open_store.ts'
import { rows } from './run.ts'
import { statement } from './statement.ts'

export type Replica = ReturnType<typeof openReplica>

export interface ReplicaStanding {
  /** `other`: the address leads to a database that is no standby of the primary. */
  readonly state: 'used' | 'behind' | 'away' | 'other'
  /** Milliseconds. To a second: that often it is looked at. Null while it does not answer. */
  readonly lagMs: number | null
}

/** Milliseconds. Beyond this lag lists are read from the primary. */
export const MOST_LAG_MS = 5_000
const LOOK_MS = 1_000

/** A place in the primary's log, and when it was the newest. */
interface Sample {
  readonly at: number
  readonly place: bigint
}

/**
 * The lag is measured by this process's clock: the age of the oldest place in the primary's log that the replica has
 * not reached. A primary that does not answer makes no replica old.
 */
export function openReplica({
  primary,
  onChange,
  ...options
}: Omit<StoreOptions, 'clockOffset'> & {
  readonly primary: () => EntityManager
  /** Called when the state changes, with the error of a replica that is away. */
  readonly onChange: (standing: ReplicaStanding, error?: unknown) => void
}) {
  const observer = { disk: new FullDisk(), onWaited: () => undefined }
  const read = openOrm(options, 'read', observer)
  const pools = { read, expensive: openOrm(options, 'expensive', observer) }
  let samples: readonly Sample[] = []
  let standing: ReplicaStanding = { state: 'away', lagMs: null }

  const change = (next: ReplicaStanding, error?: unknown): void => {
    const changed = next.state !== standing.state
    standing = next
    if (changed) onChange(next, error)
  }
  const look = async (): Promise<void> => {
    const [ours] = await rows(primary(), PRIMARY)
    if (ours === undefined) return
    samples = [...samples, { at: performance.now(), place: placeOf(ours.place) }]
    try {
      const [theirs] = await rows(read.em, STANDBY)
      if (theirs?.place == null || !theirs.standby || theirs.cluster !== ours.cluster)
        return change({ state: 'other', lagMs: null })
      const reached = placeOf(theirs.place)
      samples = samples.filter(({ place }) => place > reached).slice(-MOST_SAMPLES)
      const [oldest] = samples
      const lagMs = oldest === undefined ? 0 : Math.round(performance.now() - oldest.at)
      change({ state: lagMs > MOST_LAG_MS ? 'behind' : 'used', lagMs })
    } catch (error) {
      samples = samples.slice(-MOST_SAMPLES)
      change({ state: 'away', lagMs: null }, error)
    }
  }
  const looking = repeat({
    everyMs: LOOK_MS,
    firstMs: 0,
    run: look,
    onError: () => undefined,
    keepsAlive: false,
  })
  return Object.freeze({
    /** On the replica. Undefined while lists must be read from the primary. */
    em: (purpose: 'read' | 'expensive'): EntityManager | undefined =>
      standing.state === 'used' ? pools[purpose].em : undefined,
    standing: () => standing,
    close: async (): Promise<void> => {
      await looking.stop()
      await Promise.all(Object.values(pools).map(({ close }) => close()))
    },
  })
}

/** Far more than the lag that is accepted. */
const MOST_SAMPLES = 60

/** `16/B374D848`: two halves of 32 bits in hex. */
const placeOf = (lsn: string): bigint => {
  const [high = '0', low = '0'] = lsn.split('/')
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`)
}

const PRIMARY = statement(
  { cluster: text, place: text },
  sql`SELECT (pg_control_system()).system_identifier::text AS cluster, pg_current_wal_lsn()::text AS place`,
)

const STANDBY = statement(
  { cluster: text, standby: bool, place: nullable(text) },
  sql`SELECT (pg_control_system()).system_identifier::text AS cluster, pg_is_in_recovery() AS standby,
             pg_last_wal_replay_lsn()::text AS place`,
)
