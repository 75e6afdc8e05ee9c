// What a commitment relies on, of every public chain: nothing is sent before it is stored, and no root is included twice.
import { createServer, type RequestListener, type Server } from 'node:http'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  type Chain,
  ChainUnreachable,
  type Evidence,
  type PreparedTransaction,
} from '../../server/domain/commitments/chains/chain.ts'
import { displayHash } from '../../shared/proof/bitcoin/bitcoin_bytes.ts'
import { headerHash } from '../../shared/proof/bitcoin/block_header.ts'
import { opReturnOf, readTransaction, transactionId } from '../../shared/proof/bitcoin/transaction.ts'
import { readTxoutproof } from '../../shared/proof/bitcoin/txoutproof.ts'
import { toHex } from '../../shared/proof/bytes.ts'
import { isLedgerChain } from '../../shared/proof/public_chains.ts'
import type { ChainGround } from '../support/chains/chain_ground.ts'
import { CHAIN_KINDS } from '../support/chains/chain_kinds.ts'
import { modelKind } from '../support/chains/model_ground.ts'

const root = (byte: number) => Buffer.alloc(32, byte)
const accepted = { outcome: 'accepted' }

describe.each([...Object.values(CHAIN_KINDS), modelKind])('$name', ({ open }) => {
  let ground: ChainGround
  let chain: Chain
  beforeEach(async () => {
    ground = await open()
    chain = ground.chain
  })
  afterEach(() => ground.close())

  const stateOf = async (prepared: PreparedTransaction) => (await chain.locate(prepared)).state
  /** Sends it and answers its evidence. */
  const confirm = async (prepared: PreparedTransaction): Promise<Evidence> => {
    expect(await chain.broadcast(prepared)).toEqual(accepted)
    await ground.include()
    const where = await chain.locate(prepared)
    if (where.state !== 'confirmed') throw new Error(`It is ${where.state}.`)
    return where.evidence
  }

  it('names one network', async () => {
    expect(await chain.network()).toBe(await chain.network())
    expect(await chain.network()).toMatch(/^(mainnet|testnet|regtest|public)$/)
  })

  it('sends nothing when it prepares', async () => {
    const prepared = await chain.prepare(root(1))
    expect(prepared.transactionHash).toMatch(/^[0-9a-f]{64}$/)
    await ground.include()
    expect(await ground.roots()).toEqual([])
    expect(await stateOf(prepared)).toBe('unknown')
  })

  it('takes the same bytes again and again, and includes them once', async () => {
    const prepared = await chain.prepare(root(1))
    const stored = { ...prepared, bytes: Uint8Array.from(prepared.bytes) }
    expect(await chain.broadcast(prepared)).toEqual(accepted)
    expect(await chain.broadcast(stored)).toEqual(accepted)
    expect(['waiting', 'unknown']).toContain(await stateOf(stored))
    await ground.include()
    expect(await chain.broadcast(stored)).toEqual(accepted)
    await ground.include()
    expect(await ground.roots()).toEqual([root(1).toString('hex')])
    expect(await stateOf(stored)).toBe('confirmed')
  })

  it('gives evidence that holds by itself', async () => {
    const prepared = await chain.prepare(root(2))
    expectToHold(await confirm(prepared), prepared, root(2))
  })

  it.each([
    { what: 'waits', send: true },
    { what: 'was never sent', send: false },
  ])('includes at most one of a transaction that $what and what replaces it', async ({ send }) => {
    /** Whether it is taken is the chain's affair here. */
    const offer = (prepared: PreparedTransaction) => chain.broadcast(prepared).catch(expectAway)
    const old = await chain.prepare(root(10))
    if (send) await chain.broadcast(old)
    const fresh = await chain.prepare(root(10), old)
    if (send) expect(fresh.transactionHash).not.toBe(old.transactionHash)
    for (const prepared of [fresh, old, fresh]) await offer(prepared)
    await ground.include()
    for (const prepared of [old, fresh]) await offer(prepared)
    await ground.include()
    const confirmed = new Set<string>()
    for (const prepared of [old, fresh])
      if ((await stateOf(prepared)) === 'confirmed') confirmed.add(prepared.transactionHash)
    expect(confirmed.size).toBe(1)
    expect(await ground.roots()).toEqual([root(10).toString('hex')])
  })

  it('does not know what it dropped, and takes it again', async () => {
    const prepared = await chain.prepare(root(3))
    await ground.broadcastInVain(prepared)
    await ground.include()
    expect(await stateOf(prepared)).toBe('unknown')
    await confirm(prepared)
    expect(await ground.roots()).toEqual([root(3).toString('hex')])
  })

  it('says when a transaction is dead, and then another one is included', async () => {
    const dead = await chain.prepare(root(4))
    await chain.broadcast(dead)
    await ground.spendElsewhere(dead)
    expect(await chain.locate(dead)).toMatchObject({ state: 'dead', reason: expect.stringMatching(/./) })
    expect(await chain.broadcast(dead)).toMatchObject({ outcome: 'refused' })
    const evidence = await confirm(await chain.prepare(root(4)))
    expect(evidence.chain).toBe(chain.name)
    expect((await ground.roots()).filter((each) => each === root(4).toString('hex'))).toHaveLength(1)
  })

  it('says of one it never saw that what it spends is gone, and then another one is included', async () => {
    const never = await chain.prepare(root(12))
    await ground.spendElsewhere(never)
    expect(await chain.locate(never)).toMatchObject({
      state: expect.stringMatching(/^(spent|dead)$/),
      reason: expect.stringMatching(/./),
    })
    expect(await chain.broadcast(never)).toMatchObject({ outcome: 'refused' })
    await confirm(await chain.prepare(root(12)))
    expect((await ground.roots()).filter((each) => each === root(12).toString('hex'))).toHaveLength(1)
  })

  it('shows when a reorganisation took a transaction out, and finds it in its new block', async () => {
    if (ground.reorganise === undefined) return
    const prepared = await chain.prepare(root(5))
    const before = await confirm(prepared)
    await ground.reorganise()
    expect(['waiting', 'unknown']).toContain(await stateOf(prepared))
    const after = await confirm(prepared)
    expectToHold(after, prepared, root(5))
    expect(after).not.toEqual(before)
    expect(await ground.roots()).toEqual([root(5).toString('hex')])
  })

  it('carries several that wait at the same time', async () => {
    const all: PreparedTransaction[] = []
    for (const byte of [6, 7, 8]) {
      const prepared = await chain.prepare(root(byte))
      expect(await chain.broadcast(prepared)).toEqual(accepted)
      all.push(prepared)
      if (isLedgerChain(chain.name)) await ground.include()
    }
    await ground.include()
    expect(await Promise.all(all.map(stateOf))).toEqual(['confirmed', 'confirmed', 'confirmed'])
    expect(await ground.roots()).toEqual([6, 7, 8].map((byte) => root(byte).toString('hex')))
  })
})

function expectAway(error: unknown): void {
  expect(error).toBeInstanceOf(ChainUnreachable)
}

/** As whoever gets the bundle would check it, without asking anybody. */
function expectToHold(evidence: Evidence, prepared: PreparedTransaction, carried: Buffer): void {
  expect(evidence.timestamp.getTime()).toBeGreaterThan(0)
  if ('ledger' in evidence) {
    expect(evidence.ledger).toBeGreaterThan(0)
    return
  }
  if (prepared.bytes[0] === '{'.charCodeAt(0)) return // The model's have no form.
  const transaction = readTransaction(evidence.rawTransaction)
  expect(transactionId(transaction)).toBe(prepared.transactionHash)
  expect(Buffer.from(opReturnOf(transaction) ?? [])).toEqual(carried)
  const proof = readTxoutproof(evidence.txoutproof)
  expect(proof.isValid).toBe(true)
  expect(proof.matched.map(displayHash)).toEqual([prepared.transactionHash])
  expect(displayHash(proof.fields.merkleRoot)).toBe(evidence.blockMerkleRoot)
  expect(headerHash(proof.header)).toBe(evidence.blockHash)
  expect(proof.fields.time * 1_000).toBe(evidence.timestamp.getTime())
  expect(toHex(evidence.rawTransaction)).toBe(toHex(prepared.bytes))
}

describe.each(Object.values(CHAIN_KINDS))('$name behind an address', ({ open, behind }) => {
  let ground: ChainGround
  let prepared: PreparedTransaction
  let server: Server | undefined
  beforeEach(async () => {
    ground = await open()
    prepared = await ground.chain.prepare(root(9))
  })
  afterEach(async () => {
    server?.closeAllConnections()
    await new Promise((closed) => (server === undefined ? closed(undefined) : server.close(closed)))
    server = undefined
    await ground.close()
  })

  const answering = async (listener: RequestListener): Promise<string> => {
    const opened = createServer(listener)
    server = opened
    await new Promise<void>((listening) => void opened.listen(0, '127.0.0.1', listening))
    const bound = opened.address()
    return `http://127.0.0.1:${typeof bound === 'object' && bound !== null ? bound.port : 0}`
  }
  const isUnreachable = async (address: string) => {
    const chain = behind(address)
    try {
      await expect(chain.prepare(root(9)), 'prepare').rejects.toThrow(ChainUnreachable)
      await expect(chain.broadcast(prepared), 'broadcast').rejects.toThrow(ChainUnreachable)
      await expect(chain.locate(prepared), 'locate').rejects.toThrow(ChainUnreachable)
    } finally {
      await chain.close()
    }
  }

  it('where nobody listens is unreachable', () => isUnreachable('http://127.0.0.1:1'))

  it('where nobody answers is unreachable', async () => isUnreachable(await answering(() => undefined)))

  it('whose answer never ends is unreachable', async () => {
    const chunk = Buffer.alloc(65_536, ' ')
    const address = await answering((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      const write = () => void (response.destroyed || response.write(chunk, write))
      write()
    })
    await isUnreachable(address)
  })

  it('whose answer breaks off is unreachable', async () => {
    const address = await answering((_, response) => {
      response.writeHead(200, { 'content-length': '100' })
      response.write('{"result":')
      setImmediate(() => response.destroy())
    })
    await isUnreachable(address)
  })

  it.each(['<html>', '', '{}', '[]', 'null', '{"result":{"nothing":"of what was asked"},"error":null}'])(
    'that answers %s is unreachable',
    async (body) => {
      await isUnreachable(await answering((_, response) => void response.end(body)))
    },
  )
})
