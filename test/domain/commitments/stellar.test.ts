// Stellar: the root is the memo, a number is used once, and nobody is told that a transaction is dead while it may live.
import { Keypair, Networks, TransactionBuilder } from '@stellar/stellar-sdk/base'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  type Chain,
  ChainRefused,
  ChainUnreachable,
  type PreparedTransaction,
} from '../../../server/domain/commitments/chains/chain.ts'
import { createStellarChain } from '../../../server/domain/commitments/chains/stellar.ts'
import { type AnsweringServer, openAnsweringServer } from '../../support/answering_server.ts'
import { type FakeHorizon, openFakeHorizon } from '../../support/chains/horizon.ts'

const ROOT = Buffer.from('ab12'.repeat(16), 'hex')
const OTHER_ROOT = Buffer.from('cd34'.repeat(16), 'hex')
const key = Keypair.fromRawEd25519Seed(Buffer.alloc(32, 5))

let horizon: FakeHorizon
let chain: Chain
beforeEach(async () => {
  horizon = await openFakeHorizon()
  horizon.fund(key.publicKey())
  chain = stellar(horizon.address)
})
afterEach(async () => {
  await chain.close()
  await horizon.close()
})

const stellar = (horizonUrl: string, timeoutMs = 20_000): Chain =>
  createStellarChain({ network: 'testnet', horizonUrl, secret: key.secret(), timeoutMs })

const read = ({ bytes }: PreparedTransaction) => {
  const transaction = TransactionBuilder.fromXDR(Buffer.from(bytes).toString('base64'), Networks.TESTNET)
  if (!('sequence' in transaction)) throw new Error('That is a fee bump.')
  return transaction
}

describe('a prepared transaction', () => {
  it('pays one stroop to ourselves with the root as hash memo, signed, for a time, and nothing is sent', async () => {
    const prepared = await chain.prepare(ROOT)
    const transaction = read(prepared)
    expect(transaction.memo).toMatchObject({ type: 'hash' })
    expect(Buffer.from(transaction.memo.value ?? '')).toEqual(ROOT)
    expect(transaction.operations).toMatchObject([
      { type: 'payment', destination: key.publicKey(), amount: '0.0000001' },
    ])
    expect(transaction.source).toBe(key.publicKey())
    expect(transaction.timeBounds).toEqual({
      minTime: '0',
      maxTime: String(Date.UTC(2026, 0, 1) / 1_000 + 600),
    })
    expect(Buffer.from(transaction.hash()).toString('hex')).toBe(prepared.transactionHash)
    expect(horizon.submitted).toEqual([])
    expect(await chain.locate(prepared)).toEqual({ state: 'unknown' })
    expect([chain.name, await chain.network()]).toEqual(['stellar', 'testnet'])
  })

  it('is sent as exactly the bytes that were stored, as often as wanted, and is then found in its ledger', async () => {
    const prepared = await chain.prepare(ROOT)
    const stored = { ...prepared, bytes: Uint8Array.from(prepared.bytes) }
    expect(await chain.broadcast(stored)).toEqual({ outcome: 'accepted' })
    expect(await chain.broadcast(stored)).toEqual({ outcome: 'accepted' })
    expect(await chain.locate(stored)).toEqual({ state: 'unknown' })
    horizon.closeLedgers()
    expect(await chain.locate(stored)).toEqual({
      state: 'confirmed',
      settled: true,
      evidence: { chain: 'stellar', ledger: 1_001, timestamp: new Date(Date.UTC(2026, 0, 1, 0, 0, 5)) },
    })
    expect(await chain.broadcast(stored)).toEqual({ outcome: 'accepted' })
    horizon.closeLedgers(500)
    expect(await chain.locate(stored)).toMatchObject({ state: 'confirmed', evidence: { ledger: 1_001 } })
    expect(new Set(horizon.submitted)).toEqual(new Set([Buffer.from(prepared.bytes).toString('base64')]))
    expect(horizon.included()).toEqual([prepared.transactionHash])
  })
})

describe('of a transaction and its replacement', () => {
  it('both have one number, the second offers more, and at most one is ever included', async () => {
    const first = await chain.prepare(ROOT)
    const second = await chain.prepare(ROOT, first)
    const third = await chain.prepare(ROOT, second)
    expect(new Set([first, second, third].map((each) => read(each).sequence)).size).toBe(1)
    expect([first, second, third].map((each) => Number(read(each).fee))).toEqual([10_000, 100_000, 1_000_000])
    await chain.broadcast(second)
    horizon.closeLedgers()
    expect(await chain.broadcast(first)).toEqual({ outcome: 'refused', reason: 'tx_bad_seq' })
    expect(await chain.broadcast(third)).toEqual({ outcome: 'refused', reason: 'tx_bad_seq' })
    horizon.closeLedgers(100)
    expect(horizon.included()).toEqual([second.transactionHash])
    expect(await chain.locate(second)).toMatchObject({ state: 'confirmed' })
    for (const loser of [first, third]) expect(await chain.locate(loser)).toMatchObject({ state: 'dead' })
  })

  it('the fee has a ceiling', async () => {
    let prepared = await chain.prepare(ROOT)
    for (let times = 0; times < 8; times += 1) prepared = await chain.prepare(ROOT, prepared)
    expect(Number(read(prepared).fee)).toBe(10_000_000)
  })

  it('none is made for one that is included', async () => {
    const first = await chain.prepare(ROOT)
    await chain.broadcast(first)
    horizon.closeLedgers()
    await expect(chain.prepare(ROOT, first)).rejects.toThrow(ChainRefused)
  })

  it('one that was dropped is replaced with the same number even when its time has passed', async () => {
    const first = await chain.prepare(ROOT)
    horizon.treat('drop')
    await chain.broadcast(first)
    horizon.closeLedgers(200)
    expect(await chain.locate(first)).toEqual({ state: 'dead', reason: 'its time has passed' })
    expect(await chain.broadcast(first)).toEqual({ outcome: 'refused', reason: 'tx_too_late' })
    const second = await chain.prepare(ROOT, first)
    expect(read(second).sequence).toBe(read(first).sequence)
    await chain.broadcast(second)
    horizon.closeLedgers()
    expect(horizon.included()).toEqual([second.transactionHash])
  })
})

describe('a sequence number that something else used', () => {
  it('makes a transaction dead only after every Horizon must have seen it, and then the next number is taken', async () => {
    const first = await chain.prepare(ROOT)
    horizon.spendElsewhere(key.publicKey())
    expect(await chain.broadcast(first)).toEqual({ outcome: 'refused', reason: 'tx_bad_seq' })
    expect(await chain.locate(first)).toEqual({ state: 'unknown' })
    await expect(chain.prepare(ROOT, first)).rejects.toThrow(ChainUnreachable)
    horizon.closeLedgers(11)
    expect(await chain.locate(first)).toEqual({ state: 'unknown' })
    horizon.closeLedgers(1)
    expect(await chain.locate(first)).toEqual({
      state: 'dead',
      reason: 'another transaction used its sequence number',
    })
    const second = await chain.prepare(ROOT, first)
    expect(BigInt(read(second).sequence)).toBe(BigInt(read(first).sequence) + 1n)
    expect(read(second).fee).toBe('10000')
  })

  it('of two epochs that wait side by side, the one that lost it is prepared again and both get in', async () => {
    const [one, other] = await Promise.all([chain.prepare(ROOT), chain.prepare(OTHER_ROOT)])
    await chain.broadcast(one)
    await chain.broadcast(other)
    horizon.closeLedgers(13)
    expect(await chain.locate(other)).toMatchObject({ state: 'dead' })
    const again = await chain.prepare(OTHER_ROOT)
    expect(await chain.broadcast(again)).toEqual({ outcome: 'accepted' })
    horizon.closeLedgers()
    expect(horizon.included()).toEqual([one.transactionHash, again.transactionHash])
  })

  it('a transaction whose time is over by a moment is not called dead yet', async () => {
    const first = await chain.prepare(ROOT)
    horizon.closeLedgers(1, 601)
    expect(await chain.locate(first)).toEqual({ state: 'unknown' })
    horizon.closeLedgers(1, 60)
    expect(await chain.locate(first)).toMatchObject({ state: 'dead' })
  })
})

describe('what the network refuses', () => {
  it.each(['tx_insufficient_fee', 'tx_insufficient_balance', 'tx_bad_auth', 'tx_internal_error'])(
    'is told with its reason: %s',
    async (refuse) => {
      horizon.treat({ refuse })
      expect(await chain.broadcast(await chain.prepare(ROOT))).toEqual({ outcome: 'refused', reason: refuse })
    },
  )

  it('an account that does not exist cannot prepare, and the reason names it and no secret', async () => {
    const poor = Keypair.fromRawEd25519Seed(Buffer.alloc(32, 6))
    const other = createStellarChain({
      network: 'testnet',
      horizonUrl: horizon.address,
      secret: poor.secret(),
    })
    const refusal = await other.prepare(ROOT).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(ChainRefused)
    expect(String(refusal)).toContain(poor.publicKey())
    expect(String(refusal)).not.toContain(poor.secret())
    await other.close()
  })

  it('a transaction of another network is not valid here', async () => {
    const elsewhere = createStellarChain({
      network: 'public',
      horizonUrl: horizon.address,
      secret: key.secret(),
    })
    expect(await elsewhere.broadcast(await elsewhere.prepare(ROOT))).toEqual({
      outcome: 'refused',
      reason: 'tx_bad_auth',
    })
    await elsewhere.close()
  })

  it('a secret that is none is not repeated in the error', () => {
    const wrong = `${key.secret().slice(0, -1)}${key.secret().endsWith('A') ? 'B' : 'A'}`
    const make = () =>
      createStellarChain({ network: 'testnet', horizonUrl: 'http://127.0.0.1:1', secret: wrong })
    expect(make).toThrow('STELLAR_SECRET')
    expect(make).not.toThrow(wrong.slice(0, 10))
  })
})

describe('a Horizon that does not answer as it should', () => {
  let strange: AnsweringServer
  beforeEach(async () => {
    strange = await openAnsweringServer()
  })
  afterEach(() => strange.close())

  it('leaves open what became of a submission: sent again, it is included once', async () => {
    const prepared = await chain.prepare(ROOT)
    horizon.treat('hang_up', 'busy')
    await expect(chain.broadcast(prepared)).rejects.toThrow(ChainUnreachable)
    await expect(chain.broadcast(prepared)).rejects.toThrow(ChainUnreachable)
    horizon.closeLedgers()
    expect(await chain.locate(prepared)).toMatchObject({ state: 'confirmed' })
    expect(await chain.broadcast(prepared)).toEqual({ outcome: 'accepted' })
    expect(horizon.included()).toEqual([prepared.transactionHash])
  })

  it.each([
    ['nothing', undefined],
    ['a fault', { status: 500 }],
    ['a busy gateway', { status: 504 }],
    ['too many requests', { status: 429 }],
    ['a page', '<html></html>'],
    ['an empty object', '{}'],
    ['the same name twice', '{"hash":"a","hash":"b"}'],
    ['too much', `"${'x'.repeat(1_100_000)}"`],
  ])('with %s is unreachable, for every question', async (_, answer) => {
    const prepared = await chain.prepare(ROOT)
    const paths = [
      '/ledgers?order=desc&limit=1',
      `/accounts/${key.publicKey()}`,
      `/transactions/${prepared.transactionHash}`,
      '/transactions',
    ]
    for (const path of paths) strange.answers.set(path, answer ?? (() => undefined))
    const other = stellar(strange.address, answer === undefined ? 200 : 20_000)
    await expect(other.prepare(ROOT)).rejects.toThrow(ChainUnreachable)
    await expect(other.broadcast(prepared)).rejects.toThrow(ChainUnreachable)
    await expect(other.locate(prepared)).rejects.toThrow(ChainUnreachable)
    await other.close()
  })

  it('and speaks of another transaction is not believed', async () => {
    const prepared = await chain.prepare(ROOT)
    const body = { successful: true, ledger: 1_001, created_at: '2026-01-01T00:00:05Z' }
    const answer = JSON.stringify({ ...body, hash: 'ab'.repeat(32) })
    strange.answers.set('/transactions', answer)
    const other = stellar(strange.address)
    await expect(other.broadcast(prepared)).rejects.toThrow(ChainUnreachable)
    await other.close()
  })

  it('a stop ends what is under way', async () => {
    const other = stellar(strange.address)
    strange.answers.set('/ledgers?order=desc&limit=1', () => void other.close())
    await expect(other.prepare(ROOT)).rejects.toThrow(ChainUnreachable)
  })
})
