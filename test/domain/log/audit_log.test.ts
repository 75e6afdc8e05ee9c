// The audit of the log finds what does not agree with the blocks: each bit of a tile, a checkpoint or a key.
import type { EntityManager } from '@mikro-orm/postgresql'
import { beforeAll, expect, it } from 'vitest'
import { auditLog } from '../../../server/domain/log/audit_log.ts'
import { acceptFork } from '../../../server/domain/log/origins.ts'
import { inTransaction } from '../../../server/store/statement.ts'
import { loseBlocks } from '../../support/lost_checkpoint.ts'
import { rows } from '../../support/rows.ts'
import { testLedger } from '../../support/test_ledger.ts'
import { growBy } from './grow.ts'

const BLOCKS = 260

const ledger = testLedger()
beforeAll(async () => {
  await growBy(ledger, BLOCKS - 3)
  await ledger.finalize()
  const log = { em: ledger.store.em(), masterKey: ledger.masterKey }
  await loseBlocks(log)
  await acceptFork(log, { reason: 'a test' })
  await ledger.finalize()
})

/** What the audit says after a change, which is undone. */
async function foundAfter(...changes: string[]): Promise<string> {
  const undone = new Error('undone')
  let found = ''
  await inTransaction(ledger.store.em(), async (tx: EntityManager) => {
    await rows(tx, `SET LOCAL session_replication_role = 'replica'`)
    for (const change of changes) await rows(tx, change)
    const [first] = (await auditLog({ em: tx, masterKey: ledger.masterKey })).disagreements
    found = first === undefined ? 'nothing' : `${first.subject}: ${first.field}`
    throw undone
  }).catch((error: unknown) => {
    if (error !== undone) throw error
  })
  return found
}

it('a log that agrees is counted: tiles, and checkpoints of the retired key too', async () => {
  const report = await auditLog({ em: ledger.store.em(), masterKey: ledger.masterKey })
  expect(report).toEqual({ tiles: 3, checkpoints: 4, disagreements: [] })
})

const bit = (column: string, at: string): string =>
  `${column} = set_bit(${column}, ${at}, 1 - get_bit(${column}, ${at}))`

it.each([
  ...['0', '8191 * 8', '(length(hashes) * 8)::int - 1'].map((at) => [
    `UPDATE log_tiles SET ${bit('hashes', at)} WHERE level = 0 AND tile = 0`,
    'log tile 0/0: hashes',
  ]),
  [`UPDATE log_tiles SET ${bit('hashes', '7')} WHERE tile = 1`, 'log tile 0/1: hashes'],
  [`UPDATE log_tiles SET ${bit('hashes', '7')} WHERE level = 1`, 'log tile 1/0: hashes'],
  ['DELETE FROM log_tiles WHERE level = 1', 'log tile 1/0: tile'],
  [`UPDATE log_tiles SET hashes = substr(hashes, 33) WHERE tile = 1`, 'log tile 0/1: tile'],
  [`UPDATE log_tiles SET hashes = hashes || sha256('') WHERE tile = 1`, 'log tile 0/1: row'],
  [`INSERT INTO log_tiles VALUES (1, 1, sha256(''))`, 'log tile 1/1: row'],
  [`UPDATE log_checkpoints SET ${bit('root', '255')} WHERE size = 259`, 'checkpoint 259 of log 1: root'],
  [
    `UPDATE log_checkpoints SET ${bit('signature', '0')} WHERE size = 259 AND log = 2`,
    'checkpoint 259 of log 2: signature',
  ],
  ['UPDATE log_checkpoints SET size = 999 WHERE size = 260', 'checkpoint 999 of log 2: row'],
  ['UPDATE log_checkpoints SET size = 258 WHERE size = 259 AND log = 1', 'checkpoint 258 of log 1: root'],
  [`UPDATE log_keys SET ${bit('sealed_seed', '150')} WHERE number = 2`, 'key of log 2: sealed_seed'],
  [`UPDATE log_keys SET ${bit('public_key', '0')} WHERE number = 1`, 'key of log 1: public_key'],
  [`UPDATE log_keys SET origin = 'another' WHERE number = 1`, 'checkpoint 1 of log 1: signature'],
  [`UPDATE blocks SET metadata = '{"a":1}' WHERE height = 3`, 'log tile 0/0: hashes'],
])('%s', async (change, found) => expect(await foundAfter(change)).toBe(found))
