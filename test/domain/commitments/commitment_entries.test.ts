// A bundle's entries: every confirmed epoch that holds the block, with a path from the block's hash to the epoch's root.
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { confirmedEntries } from '../../../server/domain/commitments/commitment_entries.ts'
import { openStore } from '../../../server/store/open_store.ts'
import { displayHash } from '../../../shared/proof/bitcoin/bitcoin_bytes.ts'
import { opReturnOf, readTransaction, transactionId } from '../../../shared/proof/bitcoin/transaction.ts'
import { readTxoutproof } from '../../../shared/proof/bitcoin/txoutproof.ts'
import { fromHex, toHex } from '../../../shared/proof/bytes.ts'
import { decodePath, walkPath } from '../../../shared/proof/merkle.ts'
import { type BitcoinGround, openBitcoinGround } from '../../support/chains/bitcoin_ground.ts'
import { modelChain } from '../../support/chains/model_chain.ts'
import { openFaultProxy } from '../../support/fault_proxy.ts'
import { change, rows } from '../../support/rows.ts'
import { testLedger } from '../../support/test_ledger.ts'
import { look, nextSlot, storedCommitments, visit } from './committing.ts'

const ledger = testLedger()
let bitcoin: BitcoinGround
const stellar = modelChain('stellar', 'testnet')
const BLOCKS = 11
/** Blocks in their order, genesis first. */
let blocks: { id: string; block_hash: Buffer }[]

/** One epoch of seven on both chains, one of four on both, of which stellar's is not confirmed; one block in none. */
beforeAll(async () => {
  bitcoin = await openBitcoinGround()
  const makeBlocks = async (count: number) => {
    for (let made = 0; made < count; ) if ((await ledger.finalize()).outcome === 'finalized') made += 1
  }
  for (const count of [6, 4]) {
    await makeBlocks(count)
    await nextSlot(ledger.store)
    for (const chain of [bitcoin.chain, stellar]) await visit(ledger.store, chain)
    await bitcoin.control.mine(1)
    if (count === 6) stellar.mine()
    for (const chain of [bitcoin.chain, stellar]) await look(ledger.store, chain)
  }
  await makeBlocks(1)
  blocks = await rows(ledger.store.em(), 'SELECT id, block_hash FROM blocks ORDER BY height')
}, 60_000)
afterAll(() => bitcoin.close())

const entries = (ids: readonly string[]) => confirmedEntries(ledger.store.em(), ids)

describe('entries of confirmed epochs', () => {
  it('lead from every block to the root that its chain carries', async () => {
    const found = await entries(blocks.map(({ id }) => id))
    expect([...found.values()].map((each) => each.map(({ chain }) => chain))).toEqual([
      ...Array.from({ length: 7 }, () => ['bitcoin', 'stellar']),
      ...Array.from({ length: 4 }, () => ['bitcoin']),
      [],
    ])
    for (const { id, block_hash } of blocks)
      for (const entry of found.get(id) ?? [])
        expect(toHex(walkPath(block_hash, decodePath(entry.epoch_proof)))).toBe(entry.epoch_merkle_root)
    const roots = (await storedCommitments(ledger.store)).map(({ root }) => root)
    const shown = new Set([...found.values()].flat().map((entry) => entry.epoch_merkle_root))
    expect([...shown].toSorted()).toEqual([...new Set(roots)].toSorted())
  })

  it('carry the whole column of bitcoin, and it holds', async () => {
    const [id = ''] = blocks.map((block) => block.id)
    const [entry] = (await entries([id])).get(id) ?? []
    if (entry?.chain !== 'bitcoin') throw new Error('There is no bitcoin entry.')
    expect(Object.keys(entry).toSorted()).toEqual([
      'block_height',
      'block_merkle_root',
      'chain',
      'epoch_merkle_root',
      'epoch_proof',
      'network',
      'raw_transaction',
      'timestamp',
      'transaction_hash',
      'txoutproof',
    ])
    expect(entry.network).toBe('regtest')
    const transaction = readTransaction(fromHex(entry.raw_transaction))
    expect(transactionId(transaction)).toBe(entry.transaction_hash)
    expect(toHex(opReturnOf(transaction) ?? new Uint8Array())).toBe(entry.epoch_merkle_root)
    const proof = readTxoutproof(fromHex(entry.txoutproof))
    expect([proof.isValid, proof.matched.map(displayHash)]).toEqual([true, [entry.transaction_hash]])
    expect(displayHash(proof.fields.merkleRoot)).toBe(entry.block_merkle_root)
    expect(entry.timestamp).toBe(new Date(proof.fields.time * 1_000).toISOString().replace('.000Z', 'Z'))
  })

  it('carry the whole column of stellar', async () => {
    const [id = ''] = blocks.map((block) => block.id)
    expect((await entries([id])).get(id)?.[1]).toEqual({
      chain: 'stellar',
      network: 'testnet',
      epoch_merkle_root: expect.stringMatching(/^[0-9a-f]{64}$/),
      epoch_proof: expect.any(String),
      transaction_hash: stellar.made[0]?.hash,
      timestamp: '2027-01-15T08:00:00Z',
      ledger: 0,
    })
  })

  it('are ordered by chain, then network, then transaction', async () => {
    // The same blocks once more, on another network of the same chain.
    const other = modelChain('bitcoin', 'mainnet')
    await nextSlot(ledger.store)
    await visit(ledger.store, other)
    other.mine()
    await look(ledger.store, other)
    const [id = ''] = blocks.map((block) => block.id)
    const found = (await entries([id])).get(id) ?? []
    expect(found.map(({ chain, network }) => [chain, network])).toEqual([
      ['bitcoin', 'mainnet'],
      ['bitcoin', 'regtest'],
      ['stellar', 'testnet'],
    ])
  })

  it('are an empty list for a block that does not exist, and nothing for no block', async () => {
    expect(await entries(['01a2ce8c-be60-74a1-9884-d675915e9850'])).toEqual(
      new Map([['01a2ce8c-be60-74a1-9884-d675915e9850', []]]),
    )
    expect((await entries([])).size).toBe(0)
  })

  it('take two statements, however many blocks are asked for', async () => {
    const proxy = await openFaultProxy(inject('postgresUrl'))
    const store = openStore({ url: proxy.through(ledger.database.url), poolSize: 1 })
    try {
      const ids = blocks.map(({ id }) => id)
      for (const some of [ids.slice(0, 1), ids]) {
        proxy.takeStatements()
        await confirmedEntries(store.em(), some)
        expect(proxy.takeStatements().filter((sql) => /SELECT/.test(sql))).toHaveLength(2)
      }
    } finally {
      await store.close()
      await proxy.close()
    }
    expect(blocks).toHaveLength(BLOCKS + 1)
  })

  it('are gone while a reorganisation has the transaction', async () => {
    const last = blocks[9]?.id ?? ''
    expect((await entries([last])).get(last)).toHaveLength(2)
    await bitcoin.reorganise()
    await look(ledger.store, bitcoin.chain)
    expect((await entries([last])).get(last)?.map(({ network }) => network)).toEqual(['mainnet'])
    await bitcoin.control.mine(1)
    await look(ledger.store, bitcoin.chain)
    expect((await entries([last])).get(last)).toHaveLength(2)
    await change(ledger.store.em(), `UPDATE commitments SET look_at = NULL`)
  })
})
