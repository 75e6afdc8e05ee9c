// Starts the child processes that the fault tests kill, and talks to them.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { TEST_MASTER_KEY } from '../support/master_key.ts'
import type { Order, Report } from './ledger_process.ts'

/** Keeps compiled code, as for the server. */
const START = join(import.meta.dirname, '../../server/start.js')

export interface LedgerProcess {
  readonly tell: (order: Order) => void
  /** Ids that the process has acknowledged to its callers. */
  readonly acknowledged: readonly string[]
  /** Resolves when an order is carried out, with the answer. */
  readonly done: Promise<{ blocks: number }>
  /** SIGSTOP and SIGCONT. While frozen, its connections stay open. */
  readonly freeze: () => void
  readonly thaw: () => void
  /** SIGKILL. Resolves when the process is gone. */
  readonly kill: () => Promise<void>
}

/** Resolves when the process accepts orders. */
export async function startLedgerProcess(url: string): Promise<LedgerProcess> {
  const words = ['test/faults/ledger_process.ts', url, TEST_MASTER_KEY.toString('hex')]
  const child: ChildProcess = fork(START, words, {
    execArgv: [],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const acknowledged: string[] = []
  const ready = Promise.withResolvers<void>()
  const done = Promise.withResolvers<{ blocks: number }>()
  const ended = once(child, 'exit')
  done.promise.catch(() => undefined)
  child.on('message', (report: Report) => {
    if (report.said === 'ready') ready.resolve()
    else if (report.said === 'acknowledged') acknowledged.push(report.id)
    else done.resolve({ blocks: report.blocks })
  })
  child.on('exit', (code, signal) => {
    ready.reject(new Error(`the process ended: ${code ?? signal}`))
    done.reject(new Error(`the process ended: ${code ?? signal}`))
  })
  await ready.promise
  return {
    tell: (order) => void child.send(order),
    acknowledged,
    done: done.promise,
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    kill: async () => {
      child.kill('SIGKILL')
      await ended
    },
  }
}
