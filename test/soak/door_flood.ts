// What callers of the API feel of a flood at one of the doors that need no account.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createAccount } from '../../server/domain/accounts/account_door.ts'
import { createApiKey } from '../../server/domain/accounts/api_key.ts'
import { type Ground, openGround } from '../bench/ground.ts'
import { endWith, startServer } from '../bench/server_process.ts'
import { Started } from '../bench/started.ts'
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

const DIGEST = 'ab'.repeat(32)
const DOORS: Readonly<Record<string, readonly [type: string, body: string] | undefined>> = {
  '/stamp': ['application/json', JSON.stringify({ digests: [{ type: 'sha256', value: DIGEST }] })],
  '/calendar/digest': ['application/x-www-form-urlencoded', DIGEST],
  [`/calendar/timestamp/${DIGEST}`]: undefined,
}

type Say = (line: string) => void

/** @returns whether every bound holds */
export async function floodDoors(say: Say): Promise<boolean> {
  const started = new Started(say)
  try {
    const ground = await openGround(started)
    const callers = await Promise.all(Array.from({ length: CALLERS }, (_, nth) => callerOf(ground, nth)))
    const { base } = await startServer(ground, {
      BLOCK_INTERVAL: '3s',
      PUBLIC_CHAINS: 'bitcoin',
      BITCOIN_RPC_URL: 'http://u:p@127.0.0.1:1/wallet/w',
      LOG_LEVEL: 'error',
    })
    const measure = (seconds: number) => measureCallers(base, callers, { seconds, everyMs: EVERY_MS })
    await measure(3)
    const calm = await measure(SECONDS)
    const held: boolean[] = []
    for (const [path, posted] of Object.entries(DOORS)) {
      const flood = await beginFlood(started, `${base}${path}`, posted)
      const beside = await measure(SECONDS)
      flood.kill('SIGKILL')
      await once(flood, 'exit')
      held.push(judged(path, { calm, beside }, say))
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

/** A process of its own, which asks as fast as it is answered until it is killed. */
async function beginFlood(
  started: Started,
  url: string,
  posted: readonly [type: string, body: string] | undefined,
): Promise<ChildProcess> {
  const program = join(import.meta.dirname, '..', '..', 'node_modules', 'autocannon', 'autocannon.js')
  const how = posted === undefined ? [] : ['-m', 'POST', '-H', `content-type=${posted[0]}`, '-b', posted[1]]
  const words = ['--no-progress', '-c', String(FLOOD), '-d', '3600', ...how, url]
  const flood = spawn(process.execPath, [program, ...words], { stdio: 'ignore' })
  endWith(started, 'the flood', flood)
  await once(flood, 'spawn')
  return flood
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
