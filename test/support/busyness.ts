// How long the same work takes on this machine from moment to moment, by the clock on the wall: what else runs there
// takes its part of the processor. A thread of its own measures all the while.
import { Worker } from 'node:worker_threads'

const WORK = `
  const { parentPort } = require('node:worker_threads')
  const { createHash } = require('node:crypto')
  const bytes = Buffer.alloc(2_000_000)
  setInterval(() => {
    const began = performance.now()
    createHash('sha256').update(bytes).digest()
    parentPort.postMessage(performance.now() - began)
  }, 50)`

export interface Busyness {
  /** Milliseconds that the work takes on the average of what was measured since this was asked last. */
  readonly lap: () => number
  readonly close: () => Promise<unknown>
}

export function watchBusyness(): Busyness {
  const worker = new Worker(WORK, { eval: true })
  let took: number[] = []
  worker.on('message', (ms: number) => void took.push(ms))
  return {
    lap: () => {
      const average = took.reduce((sum, ms) => sum + ms, 0) / took.length
      took = []
      return average
    },
    close: () => worker.terminate(),
  }
}
