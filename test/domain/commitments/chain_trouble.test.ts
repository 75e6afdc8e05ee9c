// A chain that cannot be used says why, to everybody, and gives nothing away.
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { bitcoinChain } from '../../../server/domain/commitments/chains/bitcoin.ts'
import { openBitcoinRpc } from '../../../server/domain/commitments/chains/bitcoin_rpc.ts'
import type { Chain } from '../../../server/domain/commitments/chains/chain.ts'
import { commitEpochs, type VisitOutcome } from '../../../server/domain/commitments/commit_epochs.ts'
import { chainStandings } from '../../../server/domain/commitments/commitment.ts'
import { modelChain } from '../../support/chains/model_chain.ts'
import { change } from '../../support/rows.ts'
import { testLedger } from '../../support/test_ledger.ts'
import { INTERVAL_MS, leasesEnd, look, nextSlot } from './committing.ts'

const PASSWORD = 'correct-horse'

const ledger = testLedger()
let server: Server | undefined
let logged: Record<string, unknown>[]
beforeEach(async () => {
  logged = []
  await change(ledger.store.em(), 'DELETE FROM chain_troubles')
})
afterEach(async () => {
  server?.closeAllConnections()
  await new Promise((closed) => (server === undefined ? closed(undefined) : server.close(closed)))
  server = undefined
})

const answering = async (listener: RequestListener): Promise<string> => {
  const opened = createServer(listener)
  server = opened
  await new Promise<void>((listening) => void opened.listen(0, '127.0.0.1', listening))
  const { port } = opened.address() as AddressInfo
  return `http://somebody:${PASSWORD}@127.0.0.1:${port}`
}

const visitBy = (chain: Chain, stopping = false): Promise<VisitOutcome> => {
  const log = pino({ level: 'info' }, { write: (line: string) => void logged.push(JSON.parse(line)) })
  return commitEpochs(
    { em: ledger.store.em, chain, log, announceFacts: () => undefined },
    { intervalMs: INTERVAL_MS, holder: 'one', stopping: () => stopping },
  )
}
const standingOf = async (chain: Chain) => {
  const configured = [
    { choice: 'bitcoin' as const, chain, intervalMs: INTERVAL_MS, confirmMs: 1, retryMs: 1 },
  ]
  return (await chainStandings(ledger.store.em(), configured))[0]
}
const nodeAt = (address: string, timeoutMs = 20_000) =>
  bitcoinChain({ rpc: openBitcoinRpc(address, { timeoutMs, maxBytes: 65_536 }), confirmations: 1 })
const result =
  (value: unknown): RequestListener =>
  (_, response) =>
    void response.end(JSON.stringify({ result: value, error: null }))
const says =
  (status: number, error: { code: number; message: string } | null): RequestListener =>
  (_, response) =>
    void response.writeHead(status).end(JSON.stringify({ result: null, error }))

describe('a Bitcoin node that never told its network', () => {
  it.each<[string, RequestListener | undefined, string, RegExp]>([
    ['is not there', undefined, 'nobody answers at its address', /127\.0\.0\.1:1 could not be reached/],
    ['never answers', () => undefined, 'it does not answer in time', /did not answer within/],
    ['does not know the password', says(401, null), 'it does not accept our credentials', /credentials/],
    [
      'is of another network',
      result({ chain: 'moon' }),
      'it is on a network that is not known here',
      /not known here/,
    ],
    [
      'is starting',
      says(500, { code: -28, message: 'Loading block index…' }),
      'it is still starting or catching up',
      /Loading block index/,
    ],
    [
      'has no such wallet',
      says(500, { code: -18, message: 'Requested wallet does not exist' }),
      'it refuses what it is asked',
      /wallet does not exist/,
    ],
    [
      'is something else',
      (_, response) => void response.end('<html>'),
      'it answers something else than it should',
      /no JSON-RPC/,
    ],
  ])('because it %s is told with the reason, once in the log', async (_, listener, words, reason) => {
    const address =
      listener === undefined ? `http://somebody:${PASSWORD}@127.0.0.1:1` : await answering(listener)
    // Only who waits for the end of the time needs a short one.
    const chain = nodeAt(address, words === 'it does not answer in time' ? 500 : undefined)
    expect(await visitBy(chain)).toBe('unreachable')
    expect(await visitBy(chain)).toBe('unreachable')
    expect(await standingOf(chain)).toMatchObject({ chain: 'bitcoin', error: words })
    const told = logged.filter(({ msg }) => msg === 'chain.away')
    expect(told).toEqual([
      expect.objectContaining({ chain: 'bitcoin', reason: expect.stringMatching(reason) }),
    ])
    expect(JSON.stringify([logged, await standingOf(chain)])).not.toContain(PASSWORD)
    expect(JSON.stringify(await standingOf(chain))).not.toMatch(/127\.0\.0\.1|somebody/)
    await chain.close()
  })

  it('says the system’s own word in the log', async () => {
    const chain = nodeAt('http://127.0.0.1:1')
    await visitBy(chain)
    expect(logged).toMatchObject([{ msg: 'chain.away', why: 'unreachable', cause: 'ECONNREFUSED' }])
    await chain.close()
  })
})

describe('a chain that worked before', () => {
  it('is told as away and as back, for another reason anew', async () => {
    const chain = modelChain()
    await ledger.submit({})
    await ledger.finalize()
    await nextSlot(ledger.store)
    await look(ledger.store, chain)
    expect(await standingOf(chain)).toMatchObject({ network: 'regtest', error: null })
    chain.fail({ call: 'locate', when: 'before' })
    await change(ledger.store.em(), 'UPDATE commitments SET look_at = pharos_now()')
    expect(await visitBy(chain)).toBe('unreachable')
    expect(await standingOf(chain)).toMatchObject({
      network: 'regtest',
      error: 'nobody answers at its address',
    })
    chain.mine()
    await leasesEnd(ledger.store)
    await change(ledger.store.em(), 'UPDATE commitments SET look_at = pharos_now()')
    expect(await visitBy(chain)).toBe('visited')
    expect(await standingOf(chain)).toMatchObject({ network: 'regtest', error: null })
    expect(logged.map(({ msg }) => msg)).toEqual([
      'chain.unreachable',
      'chain.away',
      'commitment.confirmed',
      'chain.back',
    ])
  })

  it('is not away because the server hangs up', async () => {
    const chain = modelChain()
    chain.away(true)
    expect(await visitBy(chain, true)).toBe('unreachable')
    expect((await standingOf(chain))?.error).toBeNull()
  })
})
