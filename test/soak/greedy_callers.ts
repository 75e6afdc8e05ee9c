// Callers who repeat one request, several side by side, in a process of their own until it is told to stop.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
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

/** What a caller does who was refused: asks again after a second, or when `Retry-After` says. */
type Refused = 'persists' | 'obeys'

/** @param lanes requests that each caller has side by side */
export async function sendGreedyCallers(
  base: string,
  {
    lanes,
    callers,
    refused = 'persists',
  }: { readonly lanes: number; readonly callers: readonly GreedyCaller[]; readonly refused?: Refused },
): Promise<GreedyCallers> {
  const child = fork(import.meta.filename, [base, String(lanes), refused], {
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

/** Milliseconds that one who persists waits after it was refused. */
const REFUSED_MS = 1_000

async function beGreedy(
  base: string,
  { lanes, callers, refused }: { lanes: number; callers: readonly GreedyCaller[]; refused: Refused },
): Promise<void> {
  const { hostname, port } = new URL(base)
  const statuses: Record<string, number> = {}
  let bytes = 0
  const over = new AbortController()
  const ask = (
    path: string,
    key: string,
    agent: Agent,
  ): Promise<{ status: string; text: string; waitMs: number }> =>
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
            resolve({
              status: answer.complete ? String(answer.statusCode) : 'cut',
              text,
              waitMs: refused === 'obeys' ? Number(answer.headers['retry-after'] ?? 1) * 1_000 : REFUSED_MS,
            }),
          )
        },
      )
      asked.on('error', ({ message }) => resolve({ status: message, text: '', waitMs: REFUSED_MS }))
      asked.end()
    })
  process.on('message', () => {
    over.abort()
  })
  process.on('disconnect', () => process.exit(0))
  const all = callers.flatMap(({ key, localAddress, path }) =>
    Array.from({ length: lanes }, async () => {
      const agent = new Agent({ keepAlive: true, localAddress })
      for (let after = ''; !over.signal.aborted; ) {
        const { status, text, waitMs } = await ask(`${path}${after}`, key, agent)
        statuses[status] = (statuses[status] ?? 0) + 1
        if (status === '200' && path.endsWith('after=')) after = nextOf(text)
        if (status !== '200') await sleep(waitMs, undefined, { signal: over.signal }).catch(() => undefined)
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
  const [base = '', lanes = '', given] = process.argv.slice(2)
  const refused: Refused = given === 'obeys' ? given : 'persists'
  process.once(
    'message',
    (callers: readonly GreedyCaller[]) => void beGreedy(base, { lanes: Number(lanes), callers, refused }),
  )
}
