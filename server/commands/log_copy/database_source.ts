// The log of a database, as copies are made from it.
import type { EntityManager } from '@mikro-orm/postgresql'
import { epochFiles } from '../../domain/commitments/epoch_files.ts'
import { signingKeys } from '../../domain/ledger/signing_key.ts'
import { logStanding, noteTextOf } from '../../domain/log/checkpoint_rows.ts'
import { entryRows } from '../../domain/log/entry_rows.ts'
import { storedTiles } from '../../domain/log/tile_rows.ts'
import type { CopySource } from './copy_source.ts'

/** Blocks that are made meanwhile belong to the next checkpoint, so nothing is read in one snapshot. */
export const databaseSource = (em: EntityManager): CopySource => ({
  shown: async () => {
    const newest = (await logStanding({ em }, 0))?.newest
    return newest === undefined ? undefined : { size: newest.size, note: noteTextOf(newest) }
  },
  readTiles: storedTiles(em),
  readEntries: (from, to) => entryRows({ em }, { from, to }),
  keys: async (height) =>
    (await signingKeys({ em })).flatMap(({ introducedAtHeight, ...key }) =>
      introducedAtHeight !== null && introducedAtHeight < height ? [{ ...key, introducedAtHeight }] : [],
    ),
  epochs: (height) => epochFiles({ em }, height),
})
