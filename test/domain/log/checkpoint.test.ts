// A checkpoint is signed and stored by the transaction that makes the block: one a size, each on top of the one before.
import { describe, expect, it } from 'vitest'
import { rewrapSecrets } from '../../../server/commands/key.ts'
import { finalizeBlock } from '../../../server/domain/ledger/finalize_block.ts'
import {
  logStanding,
  noteTextOf,
  type StoredCheckpoint,
  storedTiles,
} from '../../../server/domain/log/log_rows.ts'
import { prepareLog } from '../../../server/domain/log/origins.ts'
import { createCheckpointSigner } from '../../../server/domain/log/public_log.ts'
import { masterKey } from '../../../server/kernel/sealed.ts'
import { inTransaction } from '../../../server/store/statement.ts'
import { openCheckpoint } from '../../../shared/log/checkpoint.ts'
import { readRoot } from '../../../shared/log/tiles.ts'
import { consistencyProof, verifyConsistency } from '../../../shared/log/tree_proofs.ts'
import { toHex, utf8 } from '../../../shared/proof/bytes.ts'
import { blockLog } from '../../support/block_log.ts'
import { row, rows } from '../../support/rows.ts'
import { freshLedger } from '../../support/test_ledger.ts'

const ledger = freshLedger()

const em = () => ledger.store.em()

async function newest(): Promise<StoredCheckpoint> {
  const found = (await logStanding(em(), 0))?.newest
  if (found === undefined) throw new Error('there is no checkpoint')
  return found
}

const sizes = async (): Promise<number[]> =>
  (await rows<{ size: number }>(em(), 'SELECT size FROM log_checkpoints ORDER BY size')).map(
    ({ size }) => size,
  )

/** The log as another server has it, which has not signed the checkpoint before. */
const finalizeElsewhere = () =>
  finalizeBlock({ ...ledger, em: em(), publicLog: blockLog(ledger.masterKey) }, { intervalMs: 1 })

it('each block ends with one, which the key of the log has signed over the root of all blocks', async () => {
  for (let size = 1; size <= 4; size++) {
    if (size > 1) await ledger.finalize()
    const checkpoint = await newest()
    const opened = openCheckpoint(utf8(noteTextOf(checkpoint)), checkpoint.key.verifier)
    expect(opened).toMatchObject({ origin: 'localhost/log', size })
    expect(toHex(opened.root)).toBe(toHex(await readRoot(storedTiles(em()), size)))
  }
  expect(await sizes()).toEqual([1, 2, 3, 4])
})

it('two servers that make blocks in turn sign one history', async () => {
  const other = blockLog(ledger.masterKey)
  for (let made = 0; made < 3; made++) {
    await ledger.finalize()
    await finalizeBlock({ ...ledger, em: em(), publicLog: other }, { intervalMs: 1 })
  }
  expect(await sizes()).toEqual([1, 2, 3, 4, 5, 6, 7])
  const all = await rows<{ root: Buffer }>(em(), 'SELECT root FROM log_checkpoints ORDER BY size')
  for (const [at, { root }] of all.entries()) {
    const sizesOf = { oldSize: at + 1, newSize: all.length }
    const proof = await consistencyProof(storedTiles(em()), at + 1, all.length)
    const newRoot = all.at(-1)?.root ?? Buffer.of()
    expect(verifyConsistency({ ...sizesOf, oldRoot: root, newRoot, proof })).toBe(true)
  }
})

it('a transaction that fails after it was signed leaves neither block nor checkpoint, and the next one is right', async () => {
  await ledger.finalize()
  await rows(em(), `ALTER TABLE facts ADD CONSTRAINT none CHECK (kind <> 'block.finalized') NOT VALID`)
  await expect(ledger.finalize()).rejects.toThrow()
  expect(await sizes()).toEqual([1, 2])
  await rows(em(), 'ALTER TABLE facts DROP CONSTRAINT none')
  await ledger.finalize()
  const { root, size } = await newest()
  expect([size, toHex(root)]).toEqual([3, toHex(await readRoot(storedTiles(em()), 3))])
})

it('what was signed may be forgotten while a block is made, which is then signed after what is stored', async () => {
  let onAsked = (): void => undefined
  const memory = {
    isEmpty: async () => true,
    newest: async () => onAsked() ?? undefined,
    keep: async () => undefined,
  }
  const { append, forget } = createCheckpointSigner({ masterKey: ledger.masterKey, memory })
  const publicLog = { mayGrow: async () => true, append }
  const finalize = () => finalizeBlock({ ...ledger, em: em(), publicLog }, { intervalMs: 1 })
  await finalize()
  onAsked = forget
  expect((await finalize()).outcome).toBe('finalized')
  expect(await sizes()).toEqual([1, 2, 3])
})

describe('nothing is signed', () => {
  it('for a tree that does not extend the newest checkpoint, and no block is made', async () => {
    await ledger.finalize()
    await rows(em(), `UPDATE log_checkpoints SET root = sha256('another') WHERE size = 2`)
    await expect(ledger.finalize()).rejects.toThrow('do not extend')
    await expect(finalizeElsewhere()).rejects.toThrow('do not extend')
    expect(await sizes()).toEqual([1, 2])
    expect(await row(em(), 'SELECT max(height) AS head FROM blocks')).toEqual({ head: 1 })
  })

  it('for a size that the newest checkpoint has passed', async () => {
    await ledger.finalize()
    await rows(em(), 'UPDATE log_checkpoints SET size = 9 WHERE size = 2')
    await expect(finalizeElsewhere()).rejects.toThrow('do not extend')
    expect(await sizes()).toEqual([1, 9])
  })

  it('twice for one size', async () => {
    const again = 'INSERT INTO log_checkpoints SELECT log, size, sha256(root), signature FROM log_checkpoints'
    await expect(rows(em(), again)).rejects.toMatchObject({ code: '23505' })
  })
})

describe('the key of the log', () => {
  it('is made at the first start, with a checkpoint for the blocks that there are; later starts change nothing', async () => {
    await ledger.finalize()
    await rows(em(), 'DELETE FROM log_checkpoints')
    await rows(em(), 'DELETE FROM log_keys')
    const start = () =>
      prepareLog({ em: em(), masterKey: ledger.masterKey, tell: (line) => void told.push(line) }, { origin })
    const told: string[] = []
    let origin = 'example.com/log'
    await start()
    const { key } = await newest()
    expect([key.verifier.name, await sizes()]).toEqual(['example.com/log', [2]])
    expect(told).toEqual([])
    origin = 'example.org/log'
    await start()
    expect((await newest()).key).toEqual(key)
    expect(told).toEqual([expect.stringMatching(/stays example\.com\/log.*example\.org\/log/)])
    await ledger.finalize()
    expect((await newest()).key).toEqual(key)
  })

  it('is sealed by the master key, under which it can be sealed anew', async () => {
    const to = masterKey(new Uint8Array(32).fill(9))
    await rewrapSecrets({ em: em(), from: ledger.masterKey, to })
    const signed = (with_: typeof to) =>
      inTransaction(em(), (tx) => createCheckpointSigner({ masterKey: with_ }).signHead(tx))
    await signed(to)
    await expect(signed(ledger.masterKey)).rejects.toMatchObject({ code: 'master_key_changed' })
  })

  it('is one at a time', async () => {
    const another = `INSERT INTO log_keys (number, origin, public_key, sealed_seed) VALUES (2, 'b', sha256('b'), 'b')`
    await expect(rows(em(), another)).rejects.toMatchObject({ code: '23505' })
  })
})
