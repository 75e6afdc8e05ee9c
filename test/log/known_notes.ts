// The known answers for notes, cosignatures and tile paths. Those of checkpoints were made with other libraries.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TilePlace } from '../../shared/log/tiles.ts'

interface KnownNotes {
  signed_note: { name: string; key: string; note: string }[]
  cosigned: {
    log_key: string
    ed25519_key: string
    ml_dsa_44_key: string
    note: string
    note_with_extensions: string
  }
  tile_paths: (TilePlace & { path: string })[]
}

export const known: KnownNotes = JSON.parse(
  readFileSync(join(import.meta.dirname, 'note-vectors.json'), 'utf8'),
)
