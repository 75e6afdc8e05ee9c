// Signs many digests in one thread of the process beside the event loop, which does other work meanwhile. It is not
// libuv's pool: four threads that sign at once take the processors from the event loop, and its jobs wait behind hashes
// of passwords.
import type { KeyObject } from 'node:crypto'
import { Worker } from 'node:worker_threads'

export const DIGEST_BYTES = 32
export const SIGNATURE_BYTES = 64

/** What the thread gets. */
export interface SigningRequest {
  readonly number: number
  /** A handle of the key in this process. The bytes of the key are not copied. */
  readonly key: KeyObject
  /** Digests one after the other. */
  readonly digests: Uint8Array
}

export interface SigningAnswer {
  readonly number: number
  /** Signatures one after the other, or what went wrong. */
  readonly made: Uint8Array | Error
}

/** Digests in one request to the thread, about 2 ms of its time. Calls that come together take turns with them. */
const SLICE = 64

/**
 * Returns the Ed25519 signatures in the order of the digests.
 * @param digests 32 bytes each
 * @throws when the key cannot sign, or the thread ended; the next call starts another one
 */
export async function signBeside(key: KeyObject, digests: readonly Uint8Array[]): Promise<Buffer[]> {
  const signatures: Buffer[] = []
  for (let at = 0; at < digests.length; at += SLICE) {
    const made = await ask(key, joined(digests.slice(at, at + SLICE)))
    for (let from = 0; from < made.length; from += SIGNATURE_BYTES)
      signatures.push(Buffer.from(made.buffer, made.byteOffset + from, SIGNATURE_BYTES))
  }
  return signatures
}

function joined(digests: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(digests.length * DIGEST_BYTES)
  for (const [index, digest] of digests.entries()) {
    if (digest.length !== DIGEST_BYTES) throw new RangeError('A digest has 32 bytes.')
    all.set(digest, index * DIGEST_BYTES)
  }
  return all
}

interface Thread {
  readonly worker: Worker
  readonly waiting: Map<number, PromiseWithResolvers<Uint8Array>>
}

/** Started by the first call. It ends with the process and does not keep it alive, except while a call waits. */
let thread: Thread | undefined
let asked = 0

async function ask(key: KeyObject, digests: Uint8Array): Promise<Uint8Array> {
  thread ??= start()
  const { worker, waiting } = thread
  const request: SigningRequest = { number: asked++, key, digests }
  const answer = Promise.withResolvers<Uint8Array>()
  waiting.set(request.number, answer)
  worker.ref()
  worker.postMessage(request)
  try {
    return await answer.promise
  } finally {
    waiting.delete(request.number)
    if (waiting.size === 0) worker.unref()
  }
}

function start(): Thread {
  // Without the flags and the environment of this process: the thread needs neither.
  const worker = new Worker(new URL('./signing_thread.ts', import.meta.url), {
    name: 'sign',
    env: {},
    argv: [],
    execArgv: [],
  })
  const waiting: Thread['waiting'] = new Map()
  const end = (error: Error): void => {
    if (thread?.worker === worker) thread = undefined
    for (const { reject } of waiting.values()) reject(error)
  }
  worker.on('message', ({ number, made }: SigningAnswer) => {
    const answer = waiting.get(number)
    if (made instanceof Error) answer?.reject(made)
    else answer?.resolve(made)
  })
  worker.on('error', end)
  worker.on('exit', () => end(new Error('The thread that signs ended.')))
  worker.unref()
  return { worker, waiting }
}
