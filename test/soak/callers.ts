// Well-behaved callers: each requests the head and submits an item from time to time. Records how long each
// takes.
import { Agent, request } from 'node:http'

export interface Caller {
  readonly key: string
  /** Each caller has its own loopback address, and so its own budget. */
  readonly localAddress: string
}

export interface Times {
  /** Milliseconds, ascending. */
  readonly latest: readonly number[]
  readonly create: readonly number[]
  /** Failed requests: a status, or the error. */
  readonly failed: readonly string[]
}

const CREATE = JSON.stringify({
  data: {
    type: 'item',
    attributes: { claims: { name: 'a file', hash: 'ab'.repeat(32), hash_type: 'sha256' } },
  },
})

/** Every caller makes both requests once per `everyMs`, evenly spread, for the given time and until `until` holds. */
export async function measureCallers(
  base: string,
  callers: readonly Caller[],
  {
    seconds,
    everyMs,
    until = () => true,
  }: { readonly seconds: number; readonly everyMs: number; readonly until?: () => boolean },
): Promise<Times> {
  const latest: number[] = []
  const create: number[] = []
  const failed: string[] = []
  const ends = performance.now() + seconds * 1_000
  await Promise.all(
    callers.map(async ({ key, localAddress }, index) => {
      const agent = new Agent({ keepAlive: true, localAddress })
      await pause((everyMs * index) / callers.length)
      while (performance.now() < ends || !until()) {
        const began = performance.now()
        for (const [times, path, body] of [
          [latest, '/api/json/beacons/latest', undefined],
          [create, '/api/json/items', CREATE],
        ] as const) {
          const sent = performance.now()
          const status = await ask(base, path, key, agent, body)
          times.push(performance.now() - sent)
          if (!status.startsWith('2')) failed.push(`${path} ${status}`)
        }
        await pause(Math.max(0, everyMs - (performance.now() - began)))
      }
      agent.destroy()
    }),
  )
  return { latest: latest.toSorted(ascending), create: create.toSorted(ascending), failed }
}

/** `times` must be ascending. */
export const percentile = (times: readonly number[], part: number): number =>
  times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? Number.NaN

const ascending = (a: number, b: number): number => a - b

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

function ask(
  base: string,
  path: string,
  key: string,
  agent: Agent,
  body: string | undefined,
): Promise<string> {
  const { hostname, port } = new URL(base)
  return new Promise((resolve) => {
    const asked = request(
      {
        host: hostname,
        port,
        path,
        agent,
        timeout: 60_000,
        method: body === undefined ? 'GET' : 'POST',
        headers: {
          authorization: `Bearer ${key}`,
          ...(body === undefined
            ? {}
            : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
        },
      },
      (answer) => {
        answer.resume()
        answer.on('end', () => resolve(String(answer.statusCode)))
      },
    )
    asked.on('error', (error) => resolve(error.message))
    asked.on('timeout', () => asked.destroy(new Error('no answer')))
    asked.end(body)
  })
}
