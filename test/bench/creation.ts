// What the measures of submissions share: rounds of requests and of bare inserts one after the other, so that both
// meet the same disk, with the processor time of every process that takes part.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Ground } from './ground.ts'
import { timed } from './measurement.ts'
import { cpuMs, familyCpuMs, parentOf } from './process_use.ts'
import { endWith } from './server_process.ts'

/** Milliseconds: of the work, and of the processor for each that takes part. */
export interface Spent {
  ms: number
  /** The service, or the client of the baseline. */
  client: number
  postgres: number
  /** What sends the requests. It shares the machine with the service. */
  generator: number
}

export const CLAIMS = { name: 'a file', hash: 'ab'.repeat(32), hash_type: 'sha256' }

const ROUNDS = 3

/** Runs `ours` and `baseline` in turns and adds up what they spent. */
export async function inTurns(
  ours: () => Promise<Spent>,
  baseline: () => Promise<Spent>,
): Promise<{ readonly rounds: number; readonly ours: Spent; readonly baseline: Spent }> {
  const sums = { rounds: ROUNDS, ours: nothing(), baseline: nothing() }
  for (let round = 0; round < ROUNDS; round += 1) {
    add(sums.ours, await ours())
    add(sums.baseline, await baseline())
  }
  return sums
}

/** @param pid the service */
export async function spentBy(ground: Ground, pid: number, work: () => Promise<unknown>): Promise<Spent> {
  const before = { client: (await cpuMs(pid)) ?? Number.NaN, postgres: await postgresMs(ground) }
  const own = process.cpuUsage()
  const { ms } = await timed(work)
  const { user, system } = process.cpuUsage(own)
  return {
    ms,
    client: ((await cpuMs(pid)) ?? Number.NaN) - before.client,
    postgres: (await postgresMs(ground)) - before.postgres,
    generator: (user + system) / 1_000,
  }
}

/** Copies the newest item's row under new ids, one in each transaction, and deletes the copies. */
export async function insertBare(ground: Ground, connections: number, amount: number): Promise<Spent> {
  const before = await postgresMs(ground)
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, 'bare_inserts.ts'), String(connections), String(amount)],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  )
  endWith(ground.started, 'bare_inserts.ts', child)
  const ended = once(child, 'exit')
  child.stdin.on('error', () => undefined).end(ground.url)
  const [said, [code, signal]] = await Promise.all([text(child.stdout), ended])
  if (code !== 0) throw new Error(`bare_inserts.ts ended (${code ?? signal}).`)
  const { ms, cpuMs: client }: { ms: number; cpuMs: number } = JSON.parse(said)
  const postgres = (await postgresMs(ground)) - before
  await ground.bare(`DELETE FROM items WHERE id LIKE '00000%'`)
  return { ms, client, postgres, generator: 0 }
}

export const microsecondsEach = (ms: number, amount: number): number => Math.round((ms * 1_000) / amount)

async function postgresMs({ bare }: Ground): Promise<number> {
  const [session] = await bare<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  const postmaster = session === undefined ? undefined : await parentOf(session.pid)
  return (postmaster === undefined ? undefined : await familyCpuMs(postmaster)) ?? Number.NaN
}

const nothing = (): Spent => ({ ms: 0, client: 0, postgres: 0, generator: 0 })

function add(sum: Spent, one: Spent): void {
  sum.ms += one.ms
  sum.client += one.client
  sum.postgres += one.postgres
  sum.generator += one.generator
}
