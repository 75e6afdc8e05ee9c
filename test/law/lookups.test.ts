// The law of lookups: whatever an outside service answers, a question costs a bounded amount, and ends with a
// reason.
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { outsideLookups } from '../../server/domain/proofs/verify_proof.ts'
import { boundedRequest, MeteredAgent } from '../../server/outgoing/bounded_request.ts'
import { type Lookup, type Lookups, look, lookupAddresses } from '../../shared/proof/lookups/lookup.ts'
import {
  bitcoinBlock,
  nistPulse,
  stellarLedger,
  stellarTransaction,
} from '../../shared/proof/lookups/public_services.ts'
import { readKeyring } from '../../shared/proof/verify/keyring.ts'
import { FLOODS, type FloodName } from '../faults/floods.ts'
import { verified } from '../proof/verify_known.ts'
import { type AnsweringServer, type AnswerWith, openAnsweringServer } from '../support/answering_server.ts'
import { makeAuthority } from '../support/certificate.ts'
import { slowness } from '../support/slowness.ts'

const authority = makeAuthority('Test authority')
let floods: Worker
let secureFloods: Worker
let port = 0
let securePort = 0
let world: AnsweringServer
beforeAll(async () => {
  const receivers = new URL('../faults/flooding_receiver.ts', import.meta.url)
  floods = new Worker(receivers, { workerData: {} })
  ;[port] = (await once(floods, 'message')) as [number]
  secureFloods = new Worker(receivers, { workerData: authority.issue(['127.0.0.1']) })
  ;[securePort] = (await once(secureFloods, 'message')) as [number]
  world = await openAnsweringServer()
})
afterAll(async () => {
  await floods.terminate()
  await secureFloods.terminate()
  await world.close()
})

/** Milliseconds of this thread's CPU time, for one question. */
const MOST_CPU_MS = 1_000
const BOUNDS = { oneMs: 4_000, allMs: 6_000, atATime: 6 }
/** For services that send nothing. A late answer is impossible, so short limits are safe. */
const HURRIED = { ...BOUNDS, oneMs: 500, allMs: 750 }
const boundsOf = (answer: string) => (answer === STAYS ? HURRIED : BOUNDS)
/** Milliseconds: all the time that a verification gives to lookups, and what a busy machine adds. */
const MOST_MS = 30_000

const asking = (base: string, bounds = BOUNDS): Lookups =>
  outsideLookups(
    lookupAddresses(() => base),
    bounds,
  )
const QUESTIONS: readonly (readonly [string, string, (lookups: Lookups) => Promise<Lookup<unknown>>])[] = [
  ['a Stellar transaction', '/transactions/00', (of) => look(of, stellarTransaction('public', '00'))],
  ['a Stellar ledger', '/ledgers/7', (of) => look(of, stellarLedger('testnet', 7))],
  ['a Bitcoin block', '/block/00', (of) => look(of, bitcoinBlock('mainnet', '00'))],
  ['a NIST pulse', '/chain/2/pulse/7', (of) => look(of, nistPulse(2, 7))],
]

/** Checks the cost however the question ends, also on failure. */
async function within<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  const began = performance.now()
  const before = process.threadCpuUsage()
  const [ended] = await Promise.allSettled([ask()])
  const { user, system } = process.threadCpuUsage(before)
  // How slow the machine is is measured where it matters.
  const tookMs = performance.now() - began
  const cpuMs = (user + system) / 1_000
  if (cpuMs >= MOST_CPU_MS) expect(cpuMs / slowness()).toBeLessThan(MOST_CPU_MS)
  if (tookMs >= MOST_MS) expect(tookMs / slowness()).toBeLessThan(MOST_MS)
  if (ended.status === 'rejected') throw ended.reason
  return ended.value
}

const NAMES = Object.keys(FLOODS) as FloodName[]
/** HTTP clients do not report these bytes, so only the connection itself can count them. */
const NAMELESS: readonly FloodName[] = ['empty lines first', 'a reason', 'chunk extensions']
/** Longer than a test may take, so that a flood, not the time limit, ends the request. */
const PATIENT = { timeoutMs: 120_000, maxBytes: 1_048_576 }
const failing = (name: FloodName) => ({
  name: 'RequestFailed',
  reason: NAMELESS.includes(name) ? 'too_large' : expect.stringMatching(/^(too_large|unreachable)$/),
})

it.each(NAMES)('%s without end costs a request little', async (name) => {
  const flood = `http://127.0.0.1:${port}/${encodeURIComponent(name)}`
  const asked = within(() => boundedRequest(flood, PATIENT))
  if (name === 'answers after the answer') expect(await asked).toMatchObject({ status: 200 })
  else await expect(asked).rejects.toMatchObject(failing(name))
})

it.each(NAMES)('%s without end costs little where the connection is secure', async (name) => {
  const flood = `https://127.0.0.1:${securePort}/${encodeURIComponent(name)}`
  const dispatcher = new MeteredAgent({ maxBytes: PATIENT.maxBytes, ca: authority.cert })
  try {
    const asked = within(() => boundedRequest(flood, { ...PATIENT, dispatcher }))
    if (name === 'answers after the answer') expect(await asked).toMatchObject({ status: 200 })
    else await expect(asked).rejects.toMatchObject(failing(name))
  } finally {
    await dispatcher.destroy()
  }
})

it.each(NAMES.filter((name) => name !== 'answers after the answer'))(
  'a pulse of %s without end is not there',
  async (name) => {
    const lookups = asking(`http://127.0.0.1:${port}/${encodeURIComponent(name)}`)
    const answer = await within(() => look(lookups, nistPulse(2, 7)))
    expect(answer).toMatchObject({ outcome: 'unreachable', why: expect.stringMatching(/\w/) })
  },
)

const STAYS = 'nothing, and stays'
const deep = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`
const ANSWERS: readonly (readonly [string, AnswerWith])[] = [
  ['deep arrays', deep(400_000)],
  ['deep objects', `${'{"pulse":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
  ['many members', `{${Array.from({ length: 60_000 }, (_, n) => `"m${n}":1`).join(',')}}`],
  ['a long text', JSON.stringify('x'.repeat(1_000_000))],
  ['a number of many digits', '9'.repeat(1_000_000)],
  ['null', 'null'],
  ['a list', '[]'],
  [
    'members of the wrong type',
    '{"hash":1,"height":"7","timestamp":[],"memo_type":{},"ledger":null,"closed_at":0,"pulse":"x"}',
  ],
  [
    'names of prototypes',
    '{"__proto__":{"hash":"x","height":1,"timestamp":1},"pulse":{"__proto__":{"outputValue":"x"}}}',
  ],
  ['bytes that are no text', Uint8Array.from({ length: 100_000 }, () => 0xff)],
  ['nothing', ''],
  [
    'a redirect to itself',
    (request, response) => void response.writeHead(302, { location: request.url }).end(),
  ],
  ['a status that there is not', { status: 999 }],
  ['more bytes than are read', 'x'.repeat(1_048_577)],
  [
    'half of what it promised',
    (_request, response) => {
      response.writeHead(200, { 'content-length': '1000' }).write('{"half')
      setImmediate(() => response.destroy())
    },
  ],
  [STAYS, () => undefined],
]

describe.each(QUESTIONS)('%s', (_, path, ask) => {
  it.each(ANSWERS)('that is answered with %s is not there, and costs little', async (name, answer) => {
    world.answers.set(path, answer)
    const found = await within(() => ask(asking(world.address, boundsOf(name))))
    expect(found).toMatchObject({ outcome: 'unreachable', why: expect.stringMatching(/\w/) })
  })
})

it.each(ANSWERS)(
  'a verification whose world answers %s has a row for every question',
  async (name, answer) => {
    const request = await openAnsweringServer()
    try {
      // The same answer for every path.
      request.answers.get = () => answer
      const { report } = await within(() =>
        verified('item', {}, { lookups: asking(request.address, boundsOf(name)) }),
      )
      const statuses = report.steps.map(({ status }) => status)
      expect(statuses).toContain('skip')
      expect(request.asked.length).toBeGreaterThan(0)
    } finally {
      await request.close()
    }
  },
)

it.each(ANSWERS)('a keyring that is %s has no keys', async (name, answer) => {
  world.answers.set('/keyring.json', answer)
  const bounds = { timeoutMs: boundsOf(name).oneMs, maxBytes: 1_048_576 }
  const read = async () => readKeyring((await boundedRequest(`${world.address}/keyring.json`, bounds)).body)
  await within(() => expect(read()).rejects.toThrow())
})
