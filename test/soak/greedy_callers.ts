// Callers who repeat one request, several side by side, in a process of their own until it is told to stop.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import type { Caller } from './callers.ts'

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

interface GreedyCaller extends Caller {
  /** Where it ends with `after=`, the `next` of the answer before is added. */
  readonly path: string
}

/** @param lanes requests that each caller has side by side */
export async function sendGreedyCallers(
  base: string,
  { lanes, callers }: { readonly lanes: number; readonly callers: readonly GreedyCaller[] },
): Promise<GreedyCallers> {
  const child = fork(import.meta.filename, [base, String(lanes)], {
    execArgv: [],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const ended = once(child, 'exit')
  child.send(callers)
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

async function beGreedy(base: string, lanes: number, callers: readonly GreedyCaller[]): Promise<void> {
  const { hostname, port } = new URL(base)
  const statuses: Record<string, number> = {}
  let bytes = 0
  let isOver = false
  const ask = (path: string, key: string, agent: Agent): Promise<{ status: string; text: string }> =>
    new Promise((resolve) => {
      const asked = request(
        { host: hostname, port, path, agent, headers: { authorization: `Bearer ${key}` } },
        (answer) => {
          let text = ''
          answer.on('data', (chunk: Buffer) => {
            bytes += chunk.length
            if (path.includes('after=')) text += chunk
          })
          answer.on('close', () =>
            resolve({ status: answer.complete ? String(answer.statusCode) : 'cut', text }),
          )
        },
      )
      asked.on('error', ({ message }) => resolve({ status: message, text: '' }))
      asked.end()
    })
  process.on('message', () => {
    isOver = true
  })
  process.on('disconnect', () => process.exit(0))
  const all = callers.flatMap(({ key, localAddress, path }) =>
    Array.from({ length: lanes }, async () => {
      const agent = new Agent({ keepAlive: true, localAddress })
      for (let after = ''; !isOver; ) {
        const { status, text } = await ask(`${path}${after}`, key, agent)
        statuses[status] = (statuses[status] ?? 0) + 1
        if (status === '200' && path.endsWith('after=')) after = nextOf(text)
        if (status !== '200') await new Promise((resolve) => setTimeout(resolve, REFUSED_MS))
      }
      agent.destroy()
    }),
  )
  process.send?.('they ask')
  await Promise.all(all)
  process.send?.({ statuses, bytes } satisfies Told)
  process.disconnect()
}

const nextOf = (text: string): string => {
  const { next }: { next: string } = JSON.parse(text)
  return next
}

if (process.argv[1] === import.meta.filename) {
  const [base = '', lanes = ''] = process.argv.slice(2)
  process.once('message', (callers: readonly GreedyCaller[]) => void beGreedy(base, Number(lanes), callers))
}
