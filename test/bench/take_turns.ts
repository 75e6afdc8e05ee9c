// Loads two servers in turns with the same requests, so that whatever else the machine does meets both alike.
import { load } from './load.ts'
import { cpuMs } from './process_use.ts'
import type { ServerProcess } from './server_process.ts'

export interface Turns {
  readonly path: string
  readonly method: 'GET' | 'POST'
  readonly headers: Record<string, string>
  readonly body?: string
  /** Requests to each server, in all. */
  readonly amount: number
}

/** The medians of the turns. */
export interface Figures {
  /** Milliseconds of one turn. */
  readonly ms: number
  /** Microseconds of processor time of one request. */
  readonly cpu: number
}

const CONNECTIONS = 32
const TURNS = 5

/** Each server is warmed up with as many requests as one turn has. */
export async function takeTurns(
  servers: { readonly ours: ServerProcess; readonly baseline: ServerProcess },
  { path, amount, ...request }: Turns,
): Promise<{ readonly ours: Figures; readonly baseline: Figures; readonly perTurn: number }> {
  const perTurn = Math.ceil(amount / TURNS)
  const turn = async ({ base, pid }: ServerProcess): Promise<Figures> => {
    const before = (await cpuMs(pid)) ?? Number.NaN
    const ms = await load({ ...request, url: `${base}${path}`, connections: CONNECTIONS, amount: perTurn })
    return { ms, cpu: ((((await cpuMs(pid)) ?? Number.NaN) - before) * 1_000) / perTurn }
  }
  await turn(servers.ours)
  await turn(servers.baseline)
  const ours: Figures[] = []
  const baseline: Figures[] = []
  for (let done = 0; done < TURNS; done += 1) {
    ours.push(await turn(servers.ours))
    baseline.push(await turn(servers.baseline))
  }
  return { ours: median(ours), baseline: median(baseline), perTurn }
}

const median = (turns: readonly Figures[]): Figures => ({
  ms: middle(turns.map(({ ms }) => ms)),
  cpu: middle(turns.map(({ cpu }) => cpu)),
})

const middle = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
