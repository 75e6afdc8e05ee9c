// How far a block has come on each public chain: what passes it over, what holds it, and since when.
import { beforeEach, expect, it } from 'vitest'
import { blockStandings } from '../../../server/domain/commitments/commitment_entries.ts'
import { modelChain } from '../../support/chains/model_chain.ts'
import { change, rows } from '../../support/rows.ts'
import { freshLedger } from '../../support/test_ledger.ts'
import { growLong, nextSlot, visit } from './committing.ts'

const ledger = freshLedger()
beforeEach(() => makeBlocks(4))

async function makeBlocks(count: number): Promise<void> {
  for (let made = 0; made < count; ) if ((await ledger.finalize()).outcome === 'finalized') made += 1
}

/** Closes an epoch of all blocks that the chain has none for, and sends its transaction. */
async function commit(...chains: readonly ReturnType<typeof modelChain>[]): Promise<void> {
  await nextSlot(ledger.store)
  for (const chain of chains) await visit(ledger.store, chain)
}

/** Of the block at this place, genesis being the first. */
async function standings(at: number): Promise<string[]> {
  const em = ledger.store.em()
  const [block] = await rows<{ id: string }>(em, 'SELECT id FROM blocks ORDER BY height OFFSET $1 LIMIT 1', [
    at,
  ])
  const found = await blockStandings(em, { blockId: block?.id ?? '', chains: ['stellar', 'bitcoin'] })
  return found.map(({ chain, passed_over, since_ms }) => {
    const held = since_ms === null ? 'to come' : 'in an epoch'
    return `${chain}: ${passed_over ? 'passed over' : held}`
  })
}

it('each chain holds, awaits or passes over a block by itself', async () => {
  const bitcoin = modelChain('bitcoin')
  const stellar = modelChain('stellar', 'testnet')
  await commit(bitcoin)
  await makeBlocks(1)
  expect(await standings(5)).toEqual(['bitcoin: to come', 'stellar: to come'])
  await growLong(ledger.store)
  await commit(stellar)
  expect(await standings(4)).toEqual(['bitcoin: in an epoch', 'stellar: passed over'])
  expect(await standings(5)).toEqual(['bitcoin: to come', 'stellar: in an epoch'])
})

it('a chain without an epoch passes over what its first one will not hold', async () => {
  expect(await standings(2)).toEqual(['bitcoin: to come', 'stellar: to come'])
  await growLong(ledger.store)
  expect(await standings(2)).toEqual(['bitcoin: passed over', 'stellar: passed over'])
  expect(await standings(4)).toEqual(['bitcoin: to come', 'stellar: to come'])
})

it('a network that passes a block over does not hide one of the same chain that has it', async () => {
  const testnet = modelChain('bitcoin', 'testnet4')
  const mainnet = modelChain('bitcoin', 'mainnet')
  await commit(testnet)
  await makeBlocks(2)
  await growLong(ledger.store)
  await commit(mainnet)
  expect((await standings(2))[0]).toBe('bitcoin: in an epoch')
  expect((await standings(5))[0]).toBe('bitcoin: passed over')
  expect((await standings(6))[0]).toBe('bitcoin: in an epoch')
})

it('an epoch waits for its chain from its closing on, and from the transaction on that the chain accepted', async () => {
  const stellar = modelChain('stellar', 'testnet')
  const em = ledger.store.em()
  const since = async () => {
    const [block] = await rows<{ id: string }>(em, 'SELECT id FROM blocks ORDER BY height LIMIT 1')
    const [standing] = await blockStandings(em, { blockId: block?.id ?? '', chains: ['stellar'] })
    return standing?.since_ms
  }
  const at = async (column: string, table: string) =>
    (await rows<{ ms: number }>(em, `SELECT unix_ms(${column}) AS ms FROM ${table}`))[0]?.ms
  stellar.refuse('it has no funds')
  await commit(stellar)
  expect(await since()).toBe(await at('closed_at', 'epochs'))
  stellar.refuse(null)
  await change(em, 'UPDATE commitments SET look_at = pharos_now()')
  await visit(ledger.store, stellar)
  expect(await since()).toBe(await at('inserted_at', 'commitment_transactions'))
})
