// Any number of servers may make blocks at once. The result is one chain that has every item once.
import { describe, expect, it } from 'vitest'
import { auditLedger } from '../../server/domain/ledger/audit/audit_ledger.ts'
import { deleteItem } from '../../server/domain/ledger/change_item.ts'
import { finalizeBlock } from '../../server/domain/ledger/finalize_block.ts'
import { createSigner } from '../../server/domain/ledger/signing_key.ts'
import { auditLog } from '../../server/domain/log/audit_log.ts'
import { openStore } from '../../server/store/open_store.ts'
import { until } from '../domain/ledger/until.ts'
import { blockLog } from '../support/block_log.ts'
import { redactItem } from '../support/redaction.ts'
import { row, rows } from '../support/rows.ts'
import { sizeOf } from '../support/sizes.ts'
import { freshLedger } from '../support/test_ledger.ts'
import { startLedgerProcess } from './start_ledger_process.ts'

/** Blocks that servers make at once. */
const TARGET = sizeOf('blocks_at_once')

const ledger = freshLedger()

const height = async () =>
  (await row<{ height: number }>(ledger.store.em(), 'SELECT max(height) AS height FROM blocks')).height

/** Submits, redacts and deletes until stopped. Returns every acknowledged id. */
async function live(goesOn: () => boolean): Promise<Map<string, 'kept' | 'redacted' | 'deleted'>> {
  const { store, userId } = ledger
  const fate = new Map<string, 'kept' | 'redacted' | 'deleted'>()
  const one = async () => {
    while (goesOn()) {
      const items = await ledger.submit({}, {}, {})
      for (const [index, { id }] of items.entries()) {
        const verb = [undefined, redactItem, deleteItem][index]
        await verb?.(store.em(), { id, userId })
        fate.set(id, (['kept', 'redacted', 'deleted'] as const)[index] ?? 'kept')
      }
    }
  }
  await Promise.all([one(), one()])
  return fate
}

async function oneChain(fate: Map<string, 'kept' | 'redacted' | 'deleted'>, blocks: number): Promise<void> {
  const em = ledger.store.em()
  await ledger.finalize()
  const report = await auditLedger({ em, masterKey: ledger.masterKey })
  expect(report.disagreements).toEqual([])
  expect(report.blocks).toBe(blocks + 2)
  const log = await auditLog({ em, masterKey: ledger.masterKey })
  expect(log).toMatchObject({ checkpoints: blocks + 2, disagreements: [] })
  const found = await rows<{ id: string; fate: string; placed: boolean }>(
    em,
    `SELECT id, CASE state WHEN 'redacted' THEN 'redacted' ELSE 'kept' END AS fate, block_id IS NOT NULL AS placed FROM shown_items
     UNION ALL SELECT id, 'deleted', EXISTS (SELECT FROM block_leaves WHERE subject_id = id) FROM item_tombstones`,
  )
  expect(new Map(found.map((item) => [item.id, item.fate]))).toEqual(fate)
  expect(found).toHaveLength(fate.size)
  expect(found.filter((item) => item.fate !== 'deleted' && !item.placed)).toEqual([])
}

describe('servers that make blocks at once', () => {
  it.each([2, 4])(`%i of them, ${TARGET} blocks`, async (servers) => {
    let going = true
    const made = Array.from({ length: servers }, () => openStore({ url: ledger.database.url, poolSize: 2 }))
    const living = live(() => going)
    const counts = await Promise.all(
      made.map(async (store) => {
        const signer = createSigner({ masterKey: ledger.masterKey })
        const publicLog = blockLog(ledger.masterKey)
        let blocks = 0
        // One that began late makes its block alone.
        while ((await height()) < TARGET || blocks === 0)
          if (
            (await finalizeBlock({ em: store.em(), signer, publicLog }, { intervalMs: 1 })).outcome ===
            'finalized'
          )
            blocks += 1
        return blocks
      }),
    )
    going = false
    const fate = await living
    const blocks = await height()
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(blocks)
    await oneChain(fate, blocks)
    for (const store of made) await store.close()
  })

  it('in processes of their own, one of which is killed', async () => {
    let going = true
    const children = await Promise.all(
      Array.from({ length: 3 }, () => startLedgerProcess(ledger.database.url)),
    )
    const living = live(() => going)
    for (const child of children) child.tell({ do: 'finalize until told' })
    await until(async () => (await height()) >= 40, '40 blocks')
    await children[0]?.kill()
    await until(async () => (await height()) >= 100, '100 blocks')
    for (const child of children.slice(1)) child.tell({ do: 'stop' })
    const counts = await Promise.all(children.slice(1).map(async ({ done }) => (await done).blocks))
    going = false
    const fate = await living
    expect(counts.filter((count) => count === 0)).toEqual([])
    await oneChain(fate, await height())
    for (const child of children) await child.kill()
  })
})
