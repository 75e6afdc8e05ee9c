// A checkpoint that the key of a log has really signed, over blocks that its ledger does not have.
import { sign } from 'node:crypto'
import type { EntityManager } from '@mikro-orm/postgresql'
import { logKeyInUse, openLogKey } from '../../server/domain/log/log_rows.ts'
import type { MasterKey } from '../../server/kernel/sealed.ts'
import { writeCheckpoint } from '../../shared/log/checkpoint.ts'
import { writeNote } from '../../shared/log/signed_note.ts'
import { utf8 } from '../../shared/proof/bytes.ts'
import { change } from './rows.ts'

export interface SignedLog {
  readonly em: EntityManager
  readonly masterKey: MasterKey
}

/** The note. */
export async function lostCheckpoint({ em, masterKey }: SignedLog, size: number): Promise<string> {
  const key = await logKeyInUse(em)
  if (key === undefined) throw new Error('The log has no key.')
  const { name, id } = key.verifier
  const text = writeCheckpoint({ origin: name, size, root: new Uint8Array(32) })
  const signature = sign(null, utf8(text), await openLogKey({ em, masterKey }, key.number))
  return writeNote({ text, signatures: [{ name, id, signature }] })
}

/** From now on no block is made, until the fork is accepted. Returns the note. */
export async function loseBlocks(log: SignedLog): Promise<string> {
  const note = await lostCheckpoint(log, 1_000_000)
  await change(
    log.em,
    'INSERT INTO missing_checkpoints (log, note) SELECT number, $1 FROM log_keys WHERE retired_at IS NULL',
    [note],
  )
  return note
}
