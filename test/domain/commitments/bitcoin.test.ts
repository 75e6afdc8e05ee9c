// Bitcoin in particular: what a replacement pays, how deep counts, what errors mean, and that no password is ever said.
import { createServer } from 'node:http'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { bitcoinChain } from '../../../server/domain/commitments/chains/bitcoin.ts'
import { openBitcoinRpc } from '../../../server/domain/commitments/chains/bitcoin_rpc.ts'
import {
  type Chain,
  ChainRefused,
  ChainUnreachable,
} from '../../../server/domain/commitments/chains/chain.ts'
import { readTransaction } from '../../../shared/proof/bitcoin/transaction.ts'
import { type BitcoinGround, openBitcoinGround } from '../../support/chains/bitcoin_ground.ts'

const ROOT = Buffer.alloc(32, 7)

describe('on a node', () => {
  let ground: BitcoinGround
  beforeAll(async () => {
    ground = await openBitcoinGround(3)
  })
  afterAll(() => ground.close())

  const feeOf = async (txid: string) => {
    const rpc = openBitcoinRpc(ground.rpcUrl)
    const { fee } = await rpc.call('gettransaction', [txid], z.object({ fee: z.number() }))
    await rpc.close()
    return Math.round(-fee * 1e8)
  }

  it('a transaction says that it may be replaced, and carries the root in its first output', async () => {
    const { bytes } = await ground.chain.prepare(ROOT)
    const { inputs, outputs } = readTransaction(bytes)
    expect(inputs.every(({ sequence }) => sequence < 0xffff_fffe)).toBe(true)
    expect(Buffer.from(outputs[0]?.script ?? []).toString('hex')).toBe(`6a20${ROOT.toString('hex')}`)
    expect(outputs[0]?.value).toBe(0n)
  })

  it('each replacement is taken in place of the one before, for a fee that is half as much again', async () => {
    let last = await ground.chain.prepare(ROOT)
    expect(await ground.chain.broadcast(last)).toEqual({ outcome: 'accepted' })
    for (let number = 0; number < 4; number += 1) {
      const fresh = await ground.chain.prepare(ROOT, last)
      expect(await ground.chain.broadcast(fresh)).toEqual({ outcome: 'accepted' })
      expect(await feeOf(fresh.transactionHash)).toBeGreaterThanOrEqual(
        1.5 * (await feeOf(last.transactionHash)),
      )
      expect(await ground.chain.locate(last)).toEqual({ state: 'unknown' })
      expect(await ground.chain.locate(fresh)).toEqual({ state: 'waiting' })
      last = fresh
    }
    await ground.control.mine(3)
    expect(await ground.chain.locate(last)).toMatchObject({ state: 'confirmed' })
  })

  it('one whose change was spent already is replaced all the same', async () => {
    const parent = await ground.chain.prepare(ROOT)
    expect(await ground.chain.broadcast(parent)).toEqual({ outcome: 'accepted' })
    // Every other coin is away, so the change of what waits is all there is to spend.
    await ground.control.withoutCoins(async () => {
      for (const byte of [1, 2]) {
        const child = await ground.chain.prepare(Buffer.alloc(32, byte))
        expect(await ground.chain.broadcast(child)).toEqual({ outcome: 'accepted' })
      }
    })
    const replacement = await ground.chain.prepare(ROOT, parent)
    expect(await ground.chain.broadcast(replacement)).toEqual({ outcome: 'accepted' })
    expect(await ground.chain.locate(parent)).toEqual({ state: 'unknown' })
    await ground.control.mine(3)
    expect(await ground.chain.locate(replacement)).toMatchObject({ state: 'confirmed' })
  })

  it('is included first, confirmed when it is as deep as wanted, and settled much later', async () => {
    const prepared = await ground.chain.prepare(ROOT)
    await ground.chain.broadcast(prepared)
    const seen: string[] = []
    for (let depth = 0; depth <= 10; depth += 1) {
      const where = await ground.chain.locate(prepared)
      seen.push(where.state === 'confirmed' ? `${where.state} ${where.settled}` : where.state)
      await ground.control.mine(1)
    }
    expect(seen).toEqual([
      'waiting',
      'included',
      'included',
      ...Array.from({ length: 7 }, () => 'confirmed false'),
      'confirmed true',
    ])
  })

  it('several that wait spend one another’s change, and all are included', async () => {
    const sent = []
    for (let number = 0; number < 5; number += 1) {
      const prepared = await ground.chain.prepare(Buffer.alloc(32, number))
      expect(await ground.chain.broadcast(prepared)).toEqual({ outcome: 'accepted' })
      sent.push(prepared)
    }
    await ground.control.mine(3)
    for (const prepared of sent)
      expect(await ground.chain.locate(prepared)).toMatchObject({ state: 'confirmed' })
  })
})

describe('of a node that', () => {
  const closers: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const close of closers.splice(0)) await close()
  })

  type Answer = { readonly result: unknown } | { readonly code: number; readonly message?: string }
  const asked: { authorization: string | undefined; path: string | undefined }[] = []
  /** A node that gives each method its scripted answer. */
  const scripted = async (answers: Readonly<Record<string, Answer>>): Promise<Chain> => {
    const server = createServer(async (request, response) => {
      asked.push({ authorization: request.headers.authorization, path: request.url })
      let text = ''
      for await (const chunk of request) text += String(chunk)
      const { method, id } = z.object({ method: z.string(), id: z.number() }).parse(JSON.parse(text))
      const answer = answers[method] ?? { code: -32601, message: 'Method not found' }
      const failed = 'code' in answer
      response.writeHead(failed ? 500 : 200, { 'content-type': 'application/json' })
      const error = failed ? { code: answer.code, message: answer.message ?? 'so it is' } : null
      response.end(JSON.stringify({ result: failed ? null : answer.result, error, id }))
    })
    await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening))
    const bound = server.address()
    const port = typeof bound === 'object' && bound !== null ? bound.port : 0
    const chain = bitcoinChain({
      rpc: openBitcoinRpc(`http://us%40er:pass%2Fword@127.0.0.1:${port}/wallet/ours`),
      confirmations: 1,
    })
    closers.push(async () => {
      await chain.close()
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    })
    return chain
  }
  const prepared = { transactionHash: 'ab'.repeat(32), bytes: Buffer.from('00', 'hex') }
  const regtest = { getblockchaininfo: { result: { chain: 'regtest' } } }

  it.each([
    ['main', 'mainnet'],
    ['test', 'testnet'],
    ['testnet4', 'testnet'],
    ['signet', 'testnet'],
    ['regtest', 'regtest'],
  ])('is on %s the network is %s', async (chain, network) => {
    expect(await (await scripted({ getblockchaininfo: { result: { chain } } })).network()).toBe(network)
  })

  it.each(['toString', 'elements'])('is on %s nothing is done', async (chain) => {
    const node = await scripted({ getblockchaininfo: { result: { chain } } })
    await expect(node.network()).rejects.toThrow(ChainUnreachable)
  })

  it.each([
    [{ result: 'ab'.repeat(32) }, 'accepted'],
    [{ code: -27, message: 'Transaction outputs already in utxo set' }, 'accepted'],
    [{ code: -26, message: 'txn-already-in-mempool' }, 'accepted'],
    [{ code: -26, message: 'min relay fee not met' }, 'refused'],
    [{ code: -25, message: 'bad-txns-inputs-missingorspent' }, 'refused'],
    [{ code: -22, message: 'TX decode failed' }, 'refused'],
  ])('answers a broadcast with %j it is %s', async (answer, outcome) => {
    const node = await scripted({ sendrawtransaction: answer })
    expect(await node.broadcast(prepared)).toMatchObject({ outcome })
  })

  it.each([-28, -9, -10])('answers %i nothing is known', async (code) => {
    const node = await scripted({ ...regtest, sendrawtransaction: { code }, gettransaction: { code } })
    await expect(node.broadcast(prepared)).rejects.toThrow(ChainUnreachable)
    await expect(node.locate(prepared)).rejects.toThrow(ChainUnreachable)
  })

  it.each([
    [
      'has no funds',
      {
        createrawtransaction: { result: '00' },
        fundrawtransaction: { code: -4, message: 'Insufficient funds' },
      },
    ],
    [
      'is locked',
      {
        createrawtransaction: { result: '00' },
        fundrawtransaction: { result: { hex: '00', fee: 0 } },
        signrawtransactionwithwallet: { code: -13, message: 'enter the wallet passphrase' },
      },
    ],
    [
      'signs half',
      {
        createrawtransaction: { result: '00' },
        fundrawtransaction: { result: { hex: '00', fee: 0 } },
        signrawtransactionwithwallet: { result: { hex: '00', complete: false } },
      },
    ],
    [
      'signs something else',
      {
        createrawtransaction: { result: '00' },
        fundrawtransaction: { result: { hex: '00', fee: 0 } },
        signrawtransactionwithwallet: { result: { hex: 'abcd', complete: true } },
      },
    ],
  ] satisfies [string, Record<string, Answer>][])(
    'has a wallet that %s nothing is prepared',
    async (_, answers) => {
      await expect((await scripted(answers)).prepare(ROOT)).rejects.toThrow(ChainRefused)
    },
  )

  it.each([
    ['does not know it', { gettransaction: { code: -5 } }, { state: 'unknown' }],
    [
      'has let it go from the pool',
      { gettransaction: { result: { confirmations: 0 } }, getmempoolentry: { code: -5 } },
      { state: 'unknown' },
    ],
    [
      'has it in the pool',
      { gettransaction: { result: { confirmations: 0 } }, getmempoolentry: { result: {} } },
      { state: 'waiting' },
    ],
    [
      'has a rival in a new block',
      { gettransaction: { result: { confirmations: -5 } } },
      { state: 'waiting' },
    ],
    ['has a rival deep below', { gettransaction: { result: { confirmations: -6 } } }, { state: 'dead' }],
    [
      'lost its block since',
      {
        gettransaction: { result: { confirmations: 1, blockhash: 'cd'.repeat(32) } },
        gettxoutproof: { result: 'ab' },
        getblockheader: { result: { height: 7, confirmations: -1 } },
      },
      { state: 'waiting' },
    ],
  ] satisfies [string, Record<string, Answer>, object][])('%s says so', async (_, answers, where) => {
    expect(await (await scripted({ ...regtest, ...answers })).locate(prepared)).toMatchObject(where)
  })

  it('hands out a proof that does not hold is not believed', async () => {
    const node = await scripted({
      ...regtest,
      gettransaction: { result: { confirmations: 1, blockhash: 'cd'.repeat(32) } },
      gettxoutproof: { result: 'abcd' },
      getblockheader: { result: { height: 7, confirmations: 1 } },
    })
    const real = {
      transactionHash: 'ab'.repeat(32),
      bytes: Buffer.from(`01000000${'00'.repeat(6)}`, 'hex'),
    }
    await expect(node.locate(real)).rejects.toThrow(ChainUnreachable)
  })

  it('knows who asks gets the credentials, and nobody else ever does', async () => {
    const node = await scripted({})
    asked.length = 0
    const error = await node.network().catch((reason: unknown) => reason)
    expect(asked).toEqual([
      { authorization: `Basic ${Buffer.from('us@er:pass/word').toString('base64')}`, path: '/wallet/ours' },
    ])
    const away = bitcoinChain({
      rpc: openBitcoinRpc('http://us%40er:pass%2Fword@127.0.0.1:1/wallet/ours'),
      confirmations: 1,
    })
    const unreachable = await away.network().catch((reason: unknown) => reason)
    await away.close()
    for (const said of [error, unreachable]) {
      expect(said).toBeInstanceOf(ChainUnreachable)
      expect(
        `${String(said)} ${JSON.stringify(said)} ${said instanceof Error ? String(said.cause) : ''}`,
      ).not.toMatch(/us@er|us%40er|pass/)
    }
  })
})
