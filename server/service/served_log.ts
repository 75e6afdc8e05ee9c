// What `/log` serves: from the database, as far as the public log of this process may show it.
import type { EntityManager } from '@mikro-orm/postgresql'
import { writeEpochFile } from '../../shared/log/epoch_file.ts'
import { writeKeyringFile } from '../../shared/log/keyring_file.ts'
import { epochFile } from '../domain/commitments/epoch_files.ts'
import { noteTextOf } from '../domain/log/checkpoint_rows.ts'
import { entryRows } from '../domain/log/entry_rows.ts'
import { logKeyInUse } from '../domain/log/log_key.ts'
import type { PublicLog } from '../domain/log/public_log.ts'
import { retiredOrigins } from '../domain/log/retired_origins.ts'
import { witnessedCheckpoint } from '../domain/log/shown_checkpoint.ts'
import { storedTiles, tileRows } from '../domain/log/tile_rows.ts'
import { publishedPolicy, type Witnessing } from '../domain/log/witnessing.ts'
import { introducedKeys } from '../domain/proofs/own_keyring.ts'
import { LOG_PATH } from '../surfaces/log/log_address.ts'
import type { LogSource } from '../surfaces/log/log_source.ts'

export interface ServedLog {
  readonly em: () => EntityManager
  readonly publicLog: Pick<PublicLog, 'shown' | 'look'>
  readonly witnessing: Witnessing | undefined
  /** The public origin. */
  readonly base: () => string
}

export const servedLog = ({ em, publicLog, witnessing, base }: ServedLog): LogSource => ({
  shown: async () => {
    // Only until this server has seen its first one.
    if (publicLog.shown() === undefined) await publicLog.look()
    const newest = publicLog.shown()
    if (newest === undefined || witnessing !== undefined)
      return newest && witnessing && (await witnessedCheckpoint({ em: em() }, witnessing, newest))
    return { size: newest.size, note: noteTextOf(newest) }
  },
  readTile: async (tile) => (await tileRows({ em: em() }, [tile]))[0],
  readTiles: (tiles) => storedTiles(em())(tiles),
  readEntries: (from, to) => entryRows({ em: em() }, { from, to }),
  policy: async () => {
    const key = publicLog.shown()?.key ?? (await logKeyInUse({ em: em() }))
    if (key === undefined) throw new Error('The public log has no key.')
    return publishedPolicy(witnessing, { key: key.verifier, url: `${base()}${LOG_PATH}` })
  },
  history: () => retiredOrigins({ em: em() }),
  keyring: async (size) => {
    const keys = await introducedKeys({ em: em() })
    return writeKeyringFile(keys.filter(({ introducedAtHeight }) => introducedAtHeight < size))
  },
  epoch: async (place, size) => {
    const epoch = await epochFile({ em: em() }, place, size)
    return epoch && writeEpochFile(epoch)
  },
})
