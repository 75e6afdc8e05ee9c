// A spent input, on a Bitcoin node: the epoch is prepared afresh, and what the node does know is never paid a second time.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { bitcoinChain } from '../../../server/domain/commitments/chains/bitcoin.ts'
import {
  BITCOIN_CODES,
  type BitcoinRpc,
  openBitcoinRpc,
  RpcError,
} from '../../../server/domain/commitments/chains/bitcoin_rpc.ts'
import {
  type Chain,
  ChainUnreachable,
  type PreparedTransaction,
} from '../../../server/domain/commitments/chains/chain.ts'
import { readTransaction } from '../../../shared/proof/bitcoin/transaction.ts'
import { toHex } from '../../../shared/proof/bytes.ts'
import { type BitcoinGround, openBitcoinGround } from '../../support/chains/bitcoin_ground.ts'
import { openTestLedger, type TestLedger } from '../../support/ledger.ts'
import { look, nextSlot, storedCommitments, storedHashes, visit } from './committing.ts'

const ROOT = Buffer.alloc(32, 7)
const RIVAL = Buffer.alloc(32, 0xee)

let ground: BitcoinGround
beforeAll(async () => {
  ground = await openBitcoinGround()
})
afterAll(() => ground.close())

/** Somebody else with the same keys spends what it spends; in no block yet. */
const takeInput = async (prepared: PreparedTransaction): Promise<void> => {
  const rival = await ground.chain.prepare(RIVAL, prepared)
  expect(await ground.chain.broadcast(rival)).toEqual({ outcome: 'accepted' })
}
const inputsOf = ({ bytes }: { bytes: Uint8Array }) =>
  readTransaction(bytes).inputs.map((one) => `${toHex(one.previousTransaction)}:${one.previousOutput}`)

describe('a transaction that never arrived', () => {
  it('is spent as soon as another one waits with its input, and when that one is included', async () => {
    const prepared = await ground.chain.prepare(ROOT)
    expect(await ground.chain.locate(prepared)).toEqual({ state: 'unknown' })
    await takeInput(prepared)
    expect(await ground.chain.locate(prepared)).toMatchObject({
      state: 'spent',
      reason: expect.stringMatching(/^its input [0-9a-f]{64}:\d+ is not there any more$/),
    })
    await ground.control.mine(1)
    expect(await ground.chain.locate(prepared)).toMatchObject({ state: 'spent' })
    const afresh = await ground.chain.prepare(ROOT)
    expect(inputsOf(afresh)).not.toEqual(inputsOf(prepared))
    expect(await ground.chain.broadcast(afresh)).toEqual({ outcome: 'accepted' })
  })
})

describe('a transaction that the wallet forgot', () => {
  let rpc: BitcoinRpc
  let forgetful: Chain
  beforeEach(() => {
    rpc = openBitcoinRpc(ground.rpcUrl)
    const call: BitcoinRpc['call'] = async (method, parameters, result) => {
      if (method === 'gettransaction')
        throw new RpcError(method, BITCOIN_CODES.notFound, 'not of this wallet')
      return rpc.call(method, parameters, result)
    }
    forgetful = bitcoinChain({ rpc: { ...rpc, call }, confirmations: 2 })
  })
  afterEach(() => rpc.close())

  it('is found by its change while it waits, when it is included, and with evidence when it is deep enough', async () => {
    const prepared = await ground.chain.prepare(ROOT)
    await ground.chain.broadcast(prepared)
    expect(await forgetful.locate(prepared)).toEqual({ state: 'waiting' })
    await ground.control.mine(1)
    expect(await forgetful.locate(prepared)).toEqual({ state: 'included' })
    await ground.control.mine(1)
    const known = await ground.chain.locate(prepared)
    expect(known.state).toBe('confirmed')
    expect(await forgetful.locate(prepared)).toEqual(known)
  })
})

describe('an epoch', () => {
  let ledger: TestLedger
  beforeEach(async () => {
    ledger = await openTestLedger()
    await ledger.submit({})
    await ledger.finalize()
    await nextSlot(ledger.store)
  })
  afterEach(() => ledger.close())

  it('whose input was taken between signing and the first broadcast is committed all the same, once', async () => {
    const before = (await ground.roots()).length
    const cutOff: Chain = {
      ...ground.chain,
      broadcast: () => Promise.reject(new ChainUnreachable('cut off')),
    }
    expect(await visit(ledger.store, cutOff)).toBe('unreachable')
    const [pending] = await storedCommitments(ledger.store)
    const [unsent] = await storedHashes(ledger.store)
    const stored = await rawOf(ledger)
    await takeInput({ transactionHash: unsent ?? '', bytes: stored })
    await ground.control.mine(1)
    for (let turn = 0; turn < 2; turn += 1) {
      await look(ledger.store, ground.chain)
      await ground.control.mine(1)
    }
    await look(ledger.store, ground.chain)
    const [commitment] = await storedCommitments(ledger.store)
    expect(commitment).toMatchObject({ state: 'confirmed', tried: 2, error: null })
    expect(commitment?.transaction_hash).not.toBe(unsent)
    expect((await storedHashes(ledger.store)).has(unsent ?? '')).toBe(true)
    const roots = (await ground.roots()).slice(before)
    expect(roots.filter((root) => root === pending?.root)).toHaveLength(1)
  })

  it('whose transaction spends the change of one that was replaced is told as such', async () => {
    const parent = await ground.chain.prepare(RIVAL)
    await ground.chain.broadcast(parent)
    // Every other coin is away, so the change of what waits is all there is to spend.
    const child = await ground.control.withoutCoins(() => ground.chain.prepare(ROOT))
    expect(await ground.chain.broadcast(child)).toEqual({ outcome: 'accepted' })
    // The node lets go of both, and somebody sends another parent.
    await ground.broadcastInVain(parent)
    const replacement = await ground.chain.prepare(RIVAL, parent)
    expect(await ground.chain.broadcast(replacement)).toEqual({ outcome: 'accepted' })
    expect(await ground.chain.locate(child)).toMatchObject({ state: 'spent' })
  })
})

const rawOf = async ({ store }: TestLedger): Promise<Uint8Array> => {
  const found: { bytes: Buffer }[] = await store
    .em()
    .getConnection()
    .execute('SELECT bytes FROM commitment_transactions')
  return found[0]?.bytes ?? new Uint8Array()
}
