// What callers feel of others who ask for as much as they may: first who reads large pages, then who keeps expensive
// reads going. Then the roles are swapped, so that nobody's key or place is the reason.
import pg from 'pg'
import { createAccount } from '../../server/domain/accounts/account_door.ts'
import { createApiKey } from '../../server/domain/accounts/api_key.ts'
import { type Ground, openGround } from '../bench/ground.ts'
import { startServer } from '../bench/server_process.ts'
import { Started } from '../bench/started.ts'
import { insertItems } from '../surfaces/jsonapi/crowd.ts'
import { type Caller, measureCallers, percentile, type Times } from './callers.ts'
import { sendGreedyCallers } from './greedy_callers.ts'

const CALLERS = 51
/** Innocent callers at a time. */
const MEASURED = 25
const READERS = [1, 3, 6]
/** Seconds that give more than 1,000 answers of each kind, at one of each per second and caller. */
const SECONDS = 42
/** A calm value below this many milliseconds counts as this many. */
const LEAST_CALM_MS = 4
/** Of each kind, for a percentile that says something. */
const LEAST_ANSWERS = 1_000
const MOST_TIMES = 3

const LARGE_PAGE = '/api/json/items?page%5Blimit%5D=250'
const READS_AT_ONCE = 6

/** While the table is locked, this read takes all the time that one may take. */
const LOCKED_READ = '/api/json/webhook-deliveries?filter%5Bevent_type%5D%5Bcontains%5D=x&page%5Bcount%5D=true'
const SINGLE_READ = '/api/json/blocks?filter%5Bheight%5D%5Bgte%5D=0&page%5Bcount%5D=true'
const LOCKED_SECONDS = 90
const MOST_WAIT_MS = 15_000

/** Whoever was greedy has its budgets again after this many milliseconds. */
const BUDGETS_FULL_MS = 61_000

type Say = (line: string) => void

/** @returns whether every bound holds */
export async function tryEvenHands(say: Say): Promise<boolean> {
  say(`preparing ${CALLERS} callers, each with pages of 8 MB`)
  const started = new Started(say)
  try {
    const ground = await openGround(started)
    const callers = await prepare(ground)
    const { base } = await startServer(ground, { BLOCK_INTERVAL: '3s' })
    const held: boolean[] = []
    for (const [name, order] of [
      ['first', callers],
      ['swapped', callers.toReversed()],
    ] as const) {
      const tellOf = (line: string): void => say(`${name}: ${line}`)
      held.push(...(await besideLargePages(base, order, tellOf)))
      held.push(await besideExpensiveReads(ground, base, order, tellOf))
      if (name === 'first') await new Promise((resolve) => setTimeout(resolve, BUDGETS_FULL_MS))
    }
    return held.every(Boolean)
  } finally {
    await started.end()
  }
}

async function prepare({ store, bare }: Ground): Promise<Caller[]> {
  // The preparation need not survive a power failure. What is measured must.
  await bare('ALTER SYSTEM SET synchronous_commit = off')
  await bare('SELECT pg_reload_conf()')
  const callers: Caller[] = []
  for (let n = 0; n < CALLERS; n += 1) {
    const made = await createAccount(store.em(), {
      email: `caller${n}@example.com`,
      firstName: `${n}`,
      plan: 'developer',
    })
    const { secret } = await createApiKey(store.em(), { userId: made.userId, name: 'soak' })
    callers.push({ key: secret, localAddress: `127.0.0.${10 + n}` })
    const isReader = n < Math.max(...READERS) || n >= CALLERS - Math.max(...READERS)
    if (!isReader) continue
    await insertItems(bare, {
      team: made.teamId,
      creator: made.userId,
      from: 1 + n * 1_000,
      count: 160,
      blocks: 1,
    })
  }
  await bare(
    `UPDATE items AS i SET claims =
       (SELECT '{"name":"x","metadata":{"note":"' || string_agg(md5(i.id || n), '') || '"}}' FROM generate_series(1, 1937) AS n)
      WHERE claims IS NOT NULL`,
  )
  await bare('ANALYZE')
  await bare('ALTER SYSTEM RESET synchronous_commit')
  await bare('SELECT pg_reload_conf()')
  return callers
}

async function besideLargePages(base: string, callers: readonly Caller[], say: Say): Promise<boolean[]> {
  const innocent = callers.slice(-MEASURED)
  const measure = (seconds: number) => measureCallers(base, innocent, { seconds, everyMs: 1_000 })
  await measure(5)
  const calm = await measure(SECONDS)
  tell('calm', calm, say)
  const held: boolean[] = []
  for (const count of READERS) {
    const readers = callers.slice(0, count).map((caller) => ({ ...caller, path: LARGE_PAGE }))
    const greedy = await sendGreedyCallers(base, { lanes: READS_AT_ONCE, callers: readers })
    const beside = await measure(SECONDS)
    const { statuses, bytes } = await greedy.stop()
    tell(`beside ${count} who read large pages`, beside, say)
    say(`  they were told ${JSON.stringify(statuses)}, ${(bytes / 1e6 / SECONDS).toFixed(1)} MB/s`)
    for (const what of ['latest', 'create'] as const) {
      const answers = Math.min(calm[what].length, beside[what].length)
      held.push(verdict(answers >= LEAST_ANSWERS, `${answers} answers of ${what}`, say))
      for (const part of [0.95, 0.99]) {
        const times = percentile(beside[what], part) / Math.max(LEAST_CALM_MS, percentile(calm[what], part))
        held.push(
          verdict(
            times < MOST_TIMES,
            `p${100 * part} of ${what} × ${times.toFixed(2)} (below ${MOST_TIMES})`,
            say,
          ),
        )
      }
    }
    held.push(verdict(beside.failed.length === 0, `${beside.failed.length} were failed`, say))
    // Of pages side by side, those may be refused that wait too long for the caller's own others.
    const { 200: read = 0, 503: refused = 0, ...others } = statuses
    const areRead = read > refused && Object.keys(others).length === 0
    held.push(
      verdict(areRead, 'whoever reads large pages gets them, or is told that it asks for too many', say),
    )
  }
  return held
}

/** Fifty callers each keep ten reads of five seconds going, and one asks singly. */
async function besideExpensiveReads(
  { url }: Ground,
  base: string,
  callers: readonly Caller[],
  say: Say,
): Promise<boolean> {
  const [innocent, ...others] = callers
  const locker = new pg.Client({ connectionString: url })
  await locker.connect()
  await locker.query(`SET idle_in_transaction_session_timeout = 0; SET transaction_timeout = 0`)
  await locker.query('BEGIN; LOCK TABLE webhook_deliveries IN ACCESS EXCLUSIVE MODE')
  const greedy = await sendGreedyCallers(base, {
    lanes: 10,
    callers: others.map((caller) => ({ ...caller, path: LOCKED_READ })),
  })
  const waits: number[] = []
  const refused: number[] = []
  for (const end = performance.now() + LOCKED_SECONDS * 1_000; performance.now() < end; ) {
    const began = performance.now()
    const { status } = await fetch(`${base}${SINGLE_READ}`, {
      headers: { authorization: `Bearer ${innocent?.key}` },
    })
    waits.push(performance.now() - began)
    if (status !== 200) refused.push(status)
  }
  await locker.end()
  const { statuses } = await greedy.stop()
  const sorted = waits.toSorted((a, b) => a - b)
  say(
    `beside ${others.length} with ten expensive reads each, told ${JSON.stringify(statuses)}: one who asks singly waits p50 ${percentile(sorted, 0.5).toFixed(0)} ms, worst ${sorted.at(-1)?.toFixed(0)} ms of ${sorted.length}`,
  )
  return verdict(
    refused.length === 0 && (sorted.at(-1) ?? 0) < MOST_WAIT_MS,
    `answered 200 within ${MOST_WAIT_MS / 1_000} s, ${refused.length} refused`,
    say,
  )
}

function tell(name: string, times: Times, say: Say): void {
  for (const what of ['latest', 'create'] as const) {
    const [p50, p95, p99] = [0.5, 0.95, 0.99].map((part) => percentile(times[what], part).toFixed(1))
    say(
      `${name}: ${what} p50 ${p50}, p95 ${p95}, p99 ${p99}, worst ${times[what].at(-1)?.toFixed(0)} ms of ${times[what].length}`,
    )
  }
}

function verdict(holds: boolean, text: string, say: Say): boolean {
  say(`  ${holds ? 'holds' : 'FAILS'}: ${text}`)
  return holds
}
