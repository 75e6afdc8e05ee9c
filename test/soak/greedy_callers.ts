// Callers who repeat one request, several side by side, in a process of their own until it is told to stop.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'

/** What was told to greedy callers. */
export interface Told {
  /** Number of answers by status. */
  readonly statuses: Readonly<Record<string, number>>
  readonly bytes: number
}

export interface GreedyCallers {
  /** Each caller ends the requests that it has under way. */
  readonly stop: () => Promise<Told>
}

/** @param lanes requests that each caller has side by side */
export async function sendGreedyCallers(
  base: string,
  { lanes, path, keys }: { readonly lanes: number; readonly path: string; readonly keys: readonly string[] },
): Promise<GreedyCallers> {
  const child = fork(import.meta.filename, [base, String(lanes), path, ...keys], {
    execArgv: [],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const ended = once(child, 'exit')
  await once(child, 'message')
  return {
    stop: async () => {
      const told: Promise<[Told]> = once(child, 'message') as Promise<[Told]>
      child.send('stop')
      const [report] = await told
      await ended
      return report
    },
  }
}

/** Milliseconds that a greedy caller waits after it was refused. */
const REFUSED_MS = 1_000

async function beGreedy(base: string, lanes: number, path: string, keys: readonly string[]): Promise<void> {
  const { hostname, port } = new URL(base)
  const statuses: Record<string, number> = {}
  let bytes = 0
  let isOver = false
  const ask = (key: string, agent: Agent): Promise<string> =>
    new Promise((resolve) => {
      const asked = request(
        { host: hostname, port, path, agent, headers: { authorization: `Bearer ${key}` } },
        (answer) => {
          answer.on('data', ({ length }: Buffer) => {
            bytes += length
          })
          answer.on('close', () => resolve(answer.complete ? String(answer.statusCode) : 'cut'))
        },
      )
      asked.on('error', ({ message }) => resolve(message))
      asked.end()
    })
  process.on('message', () => {
    isOver = true
  })
  process.on('disconnect', () => process.exit(0))
  const all = keys.flatMap((key, index) =>
    Array.from({ length: lanes }, async () => {
      const agent = new Agent({ keepAlive: true, localAddress: `127.0.1.${index + 1}` })
      while (!isOver) {
        const status = await ask(key, agent)
        statuses[status] = (statuses[status] ?? 0) + 1
        if (status === '429' || status === '503')
          await new Promise((resolve) => setTimeout(resolve, REFUSED_MS))
      }
      agent.destroy()
    }),
  )
  process.send?.('they ask')
  await Promise.all(all)
  process.send?.({ statuses, bytes } satisfies Told)
  process.disconnect()
}

if (process.argv[1] === import.meta.filename) {
  const [base = '', lanes = '', path = '', ...keys] = process.argv.slice(2)
  await beGreedy(base, Number(lanes), path, keys)
}
