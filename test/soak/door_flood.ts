// What callers of the API feel of a flood at one of the doors that need no account.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import autocannon from 'autocannon'
import { z } from 'zod'
import { createAccount } from '../../server/domain/accounts/account_door.ts'
import { createApiKey } from '../../server/domain/accounts/api_key.ts'
import { type Ground, openGround } from '../bench/ground.ts'
import { endWith, NO_LIMITS, startServer } from '../bench/server_process.ts'
import { Started } from '../bench/started.ts'
import { QUERY_TYPE, queryOf, TRUE } from '../support/time_stamps/query.ts'
import { type Caller, measureCallers, percentile, type Times } from './callers.ts'

const CALLERS = 8
/** With one request of each kind a second and caller, enough for a 95th percentile. */
const SECONDS = 25
const EVERY_MS = 1_000
/** Connections of the flood, all from one address. */
const FLOOD = 256
/** A calm value below this many milliseconds counts as this many. */
const LEAST_CALM_MS = 4
const MOST_TIMES = 3

interface Asked {
  readonly path: string
  readonly type?: string
  readonly body?: Buffer
}

const DIGEST = Buffer.alloc(32, 0xab)

function stamped(path: string, digests: number): Asked {
  const all = Array.from({ length: digests }, () => ({ type: 'sha256', value: DIGEST.toString('hex') }))
  return { path, type: 'application/json', body: Buffer.from(JSON.stringify({ digests: all })) }
}

/** @param root of a round that has its proof */
const doors = (root: string): Readonly<Record<string, Asked>> => ({
  'POST /stamp of a digest': stamped('/stamp', 1),
  'POST /stamp of 256 digests': stamped('/stamp', 256),
  'POST /calendar/digest': { path: '/calendar/digest', type: 'application/octet-stream', body: DIGEST },
  'POST /tsa': { path: '/tsa', type: QUERY_TYPE, body: queryOf({ digest: DIGEST, rest: [TRUE] }) },
  'GET /stamp/<root>': { path: `/stamp/${root}` },
  'GET /calendar/timestamp/<root>': { path: `/calendar/timestamp/${root}` },
  'GET /stamp/<no root>': { path: `/stamp/${DIGEST.toString('hex')}` },
})

type Say = (line: string) => void

/** @returns whether every bound holds */
export async function floodDoors(say: Say): Promise<boolean> {
  const started = new Started(say)
  try {
    const ground = await openGround(started)
    const callers = await Promise.all(Array.from({ length: CALLERS }, (_, nth) => callerOf(ground, nth)))
    // Without budgets, which would refuse one address most of it.
    const { base } = await startServer(ground, {
      ...NO_LIMITS,
      BLOCK_INTERVAL: '3s',
      EPOCH_INTERVAL_EMBEDDED: '3s',
      LOG_LEVEL: 'error',
    })
    const root = await provenRoot(base)
    const measure = (seconds: number) => measureCallers(base, callers, { seconds, everyMs: EVERY_MS })
    await measure(3)
    const calm = await measure(SECONDS)
    const held: boolean[] = []
    for (const [door, asked] of Object.entries(doors(root))) {
      const flood = await beginFlood(started, { base, asked })
      const beside = await measure(SECONDS)
      say(`a flood at ${door} was told ${JSON.stringify(await flood.stop())} within ${SECONDS} s`)
      held.push(judged(door, { calm, beside }, say))
    }
    return held.every(Boolean)
  } finally {
    await started.end()
  }
}

async function callerOf({ store }: Ground, nth: number): Promise<Caller> {
  const account = { email: `caller${nth}@example.com`, firstName: 'Caller', plan: 'enterprise' } as const
  const { userId } = await createAccount(store.em(), account)
  const { secret } = await createApiKey(store.em(), { userId, name: 'flood' })
  return { key: secret, localAddress: `127.0.0.${10 + nth}` }
}

const receipts = z.object({
  evidence: z.tuple([
    z.looseObject({ item: z.looseObject({ claims: z.looseObject({ hash: z.string() }) }) }),
  ]),
})

/** Of a round of one digest, when the development chain has confirmed it. */
async function provenRoot(base: string): Promise<string> {
  const { path, type, body } = stamped('/stamp', 1)
  const headers = { 'content-type': type ?? '' }
  const answer = await fetch(`${base}${path}`, { method: 'POST', headers, body: String(body) })
  const [{ item }] = receipts.parse(await answer.json()).evidence
  for (;;) {
    const { status } = await fetch(`${base}/stamp/${item.claims.hash}`)
    if (status === 200) return item.claims.hash
    if (status !== 404) throw new Error(`The proof of a round is ${status}.`)
    await sleep(1_000)
  }
}

interface Flood {
  /** Answers by status. */
  readonly stop: () => Promise<Readonly<Record<string, number>>>
}

/** A process of its own, which asks as fast as it is answered until it is stopped. */
async function beginFlood(
  started: Started,
  { base, asked: { path, type, body } }: { readonly base: string; readonly asked: Asked },
): Promise<Flood> {
  const child = fork(import.meta.filename, ['flood'], {
    execArgv: [],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  endWith(started, 'the flood', child)
  const url = `${base}${path}`
  child.send({ url, type, body: body?.toString('base64') } satisfies FloodOrder)
  return {
    stop: async () => {
      const told = once(child, 'message')
      const ended = once(child, 'exit')
      child.send('stop')
      const [statuses] = await told
      await ended
      return statuses
    },
  }
}

interface FloodOrder {
  readonly url: string
  readonly type: string | undefined
  /** base64. */
  readonly body: string | undefined
}

function flood({ url, type, body }: FloodOrder): void {
  const posted = body && { method: 'POST' as const, body: Buffer.from(body, 'base64') }
  const headers = type === undefined ? {} : { 'content-type': type }
  const done = autocannon({ url, headers, connections: FLOOD, duration: 3_600, ...posted })
  process.once('message', async () => {
    done.stop()
    const { statusCodeStats } = await done
    const counts = Object.entries(statusCodeStats).map(([status, { count }]) => [status, count] as const)
    process.send?.(Object.fromEntries(counts))
    process.disconnect()
  })
}

function judged(path: string, { calm, beside }: { calm: Times; beside: Times }, say: Say): boolean {
  const rows = (['latest', 'create'] as const).map((what) => {
    const [before, during] = [calm, beside].map((times) => percentile(times[what], 0.95)) as [number, number]
    const times = during / Math.max(before, LEAST_CALM_MS)
    const told = `p95 of ${what} beside a flood at ${path}: ${during.toFixed(1)} ms, ${before.toFixed(1)} ms without`
    return [times < MOST_TIMES, `${told} (× ${times.toFixed(2)}, below ${MOST_TIMES})`] as const
  })
  const failed = `callers who were failed beside it: ${beside.failed.length}`
  const verdicts = [...rows, [beside.failed.length === 0, failed] as const]
  for (const [holds, text] of verdicts) say(`${holds ? 'holds' : 'FAILS'}: ${text}`)
  return verdicts.every(([holds]) => holds)
}

if (process.argv[1] === import.meta.filename) process.once('message', flood)
