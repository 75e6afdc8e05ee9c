// Checks that the replica that takes lists and counts is a standby of this very primary, and follows it.
import { setTimeout as wait } from 'node:timers/promises'
import { MOST_LAG_MS } from '../store/replica.ts'
import type { AskDatabase } from './ask_database.ts'
import { type DoctorFinding, ok, roughly, warning } from './examined.ts'

const LOOK_MS = 100

/**
 * Takes the newest place in the primary's log, and waits until the replica has reached it. The age of the replica's last
 * transaction would tell nothing, because it grows while nobody writes.
 */
export async function replica(
  { primary, standby }: { readonly primary: AskDatabase; readonly standby: AskDatabase },
  patienceMs: number = MOST_LAG_MS,
): Promise<DoctorFinding[]> {
  const ours = await primary(async (client) => {
    const { rows } = await client.query<Place>(
      `SELECT (pg_control_system()).system_identifier::text AS cluster, pg_current_wal_insert_lsn()::text AS place`,
    )
    return rows[0]
  })
  return standby(async (client) => {
    const look = async () => {
      const { rows } = await client.query<{ cluster: string; standby: boolean; reached: boolean | null }>(
        `SELECT (pg_control_system()).system_identifier::text AS cluster, pg_is_in_recovery() AS standby,
                pg_last_wal_replay_lsn() >= $1::pg_lsn AS reached`,
        [ours?.place],
      )
      return rows[0]
    }
    const since = performance.now()
    let theirs = await look()
    if (theirs?.standby !== true || theirs.cluster !== ours?.cluster)
      return [
        warning(
          'READ_DATABASE_URL is no replica of this database, so the servers do not use it.',
          'Name a standby of the primary, or leave it unset.',
        ),
      ]
    while (theirs?.reached !== true && performance.now() - since < patienceMs) {
      await wait(LOOK_MS)
      theirs = await look()
    }
    return theirs?.reached === true
      ? [ok('The replica follows.')]
      : [
          warning(
            `The replica is more than ${roughly(patienceMs)} behind, so the servers read from the primary.`,
            'Look at its disk, and at the network to the primary.',
          ),
        ]
  })
}

interface Place {
  readonly cluster: string
  readonly place: string
}
