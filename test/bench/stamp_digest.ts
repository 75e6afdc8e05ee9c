// Digests that are stamped without an account, one a request, compared with a bare route that hashes once, or for time-stamp
// tokens signs once.
import { createHash } from 'node:crypto'
import { nonce, QUERY_TYPE, queryOf, TRUE } from '../support/time_stamps/query.ts'
import { inTurns, microsecondsEach, spentBy } from './creation.ts'
import { type Load, load, loadTimes } from './load.ts'
import { type Measure, perSecond } from './measurement.ts'
import { NO_LIMITS, startBaseline, startServer } from './server_process.ts'

interface Stamping {
  readonly what: string
  readonly aim: number
  readonly settings?: Readonly<Record<string, string>>
  readonly amount?: number
  readonly request: Omit<Load, 'url' | 'connections' | 'amount'> & { readonly path: string }
}

/** So many wait for each round, which closes after a tenth of a second. */
const CONNECTIONS = 1_024
/** Requests of one round of the measure, unless they are slow. */
const USUAL_AMOUNT = 20_000

const ROUNDS_MS = 100
/** The calendar is open where Bitcoin is among the chains, and nobody needs to answer for it. */
const SETTINGS = {
  ...NO_LIMITS,
  AGGREGATION_INTERVAL: `${ROUNDS_MS}ms`,
  PUBLIC_CHAINS: 'bitcoin',
  BITCOIN_RPC_URL: 'http://u:p@127.0.0.1:1/wallet/w',
  LOG_LEVEL: 'error',
}

const stampDigests =
  ({ what, aim, settings = {}, amount = USUAL_AMOUNT, request: { path, ...request } }: Stamping): Measure =>
  async (ground, say) => {
    const server = await startServer(ground, { ...SETTINGS, ...settings })
    const bare = await startBaseline(ground, 'bare_hash.ts')
    const loaded = ({ base, pid }: typeof server) =>
      spentBy(ground, pid, () =>
        load({ ...request, url: `${base}${path}`, amount, connections: CONNECTIONS }),
      )
    say('  warming up both, then measuring in turns')
    await loaded(server)
    await loaded(bare)
    const spent = await inTurns(
      () => loaded(server),
      () => loaded(bare),
    )
    const requests = amount * spent.rounds
    const each = (ms: number) => microsecondsEach(ms, requests)
    const cpu = { ours: each(spent.ours.client + spent.ours.postgres), baseline: each(spent.baseline.client) }
    const ratio = cpu.baseline / cpu.ours
    return {
      what,
      baseline: perSecond(requests, spent.baseline.ms),
      ours: perSecond(requests, spent.ours.ms),
      ratio,
      aim: `>= ${aim} (CPU)`,
      met: ratio >= aim,
      cpu,
      notes: `Node ${each(spent.ours.client)} µs and PostgreSQL ${each(spent.ours.postgres)} µs a request`,
    }
  }

const DIGEST = createHash('sha256').update('a file').digest('hex')

export const stampOneDigest = stampDigests({
  what: 'POST /stamp, one digest',
  aim: 0.35,
  request: {
    path: '/stamp',
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ digests: [{ type: 'sha256', value: DIGEST }] }),
  },
})

const CALENDAR = {
  path: '/calendar/digest',
  method: 'POST',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  // Any bytes are a digest for a calendar, and these are as many as it takes.
  body: DIGEST,
} as const

export const calendarDigest = stampDigests({
  what: 'POST /calendar/digest',
  aim: 0.45,
  request: CALENDAR,
})

const TSA = {
  path: '/tsa',
  method: 'POST',
  headers: { 'content-type': QUERY_TYPE },
  body: queryOf({ digest: Buffer.from(DIGEST, 'hex'), rest: [nonce('05'), TRUE] }),
} as const

export const timeStamp = stampDigests({ what: 'POST /tsa, signed by P-256', aim: 0.35, request: TSA })

/** For programs that take no other key. Its signature alone takes many times as long, so it has no aim of its own. */
export const timeStampByRsa = stampDigests({
  what: 'POST /tsa, signed by RSA-3072',
  aim: 0,
  settings: { TSA_KEY_TYPE: 'rsa' },
  amount: 4_000,
  request: TSA,
})

const CROWD = { connections: 2_048, amount: 100_000, aim: 7_500 }
/** Milliseconds over the interval that the slowest of a hundred may wait at half of the load. */
const MOST_OVER_MS = 200

export const calendarCrowd: Measure = async (ground, say) => {
  const server = await startServer(ground, SETTINGS)
  const bare = await startBaseline(ground, 'bare_hash.ts')
  const { path, ...request } = CALENDAR
  const of = ({ base }: typeof server, connections: number) =>
    loadTimes({ ...request, url: `${base}${path}`, connections, amount: CROWD.amount })
  say('  warming up, then all connections, half of them, and the bare route')
  await of(server, CROWD.connections)
  const all = await of(server, CROWD.connections)
  const half = await of(server, CROWD.connections / 2)
  const baseline = await of(bare, CROWD.connections)
  const rate = (CROWD.amount * 1_000) / all.ms
  const most = ROUNDS_MS + MOST_OVER_MS
  return {
    what: `POST /calendar/digest, ${CROWD.connections} connections, rounds of ${ROUNDS_MS} ms`,
    baseline: perSecond(CROWD.amount, baseline.ms),
    ours: perSecond(CROWD.amount, all.ms),
    ratio: baseline.ms / all.ms,
    aim: `>= ${CROWD.aim}/s; p99 <= ${most} ms at half of the load`,
    met: rate >= CROWD.aim && half.p99 <= most,
    notes: `p99 ${all.p99} ms, and ${half.p99} ms with half of the connections (${perSecond(CROWD.amount, half.ms)})`,
  }
}
