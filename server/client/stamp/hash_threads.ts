// Hashes several files at the same time: one on the main thread, and large ones beside it on threads of their own.
import { Buffer } from 'node:buffer'
import { on } from 'node:events'
import { lstatSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { asComplaint, Complaint } from '../../../shared/cli/terminal.ts'
import type { HashType } from '../../../shared/proof/claims.ts'
import { type FilePlace, type HashedFile, hashFile } from './hash_file.ts'

/** More would wait for the disk, and each thread takes memory. */
const FILES_AT_ONCE = Math.min(availableParallelism(), 4)

/** Bytes from which on a file takes longer than a thread takes to begin. */
const LARGE = 8_388_608

interface Asked {
  readonly place: FilePlace
  readonly type: HashType
}

type Answer =
  | { readonly bytes: number }
  | { readonly hashed: HashedFile }
  | { readonly complaint: Pick<Complaint, 'message' | 'advice'> }

export class HashThreads {
  readonly #all: Worker[] = []
  readonly #idle: Worker[] = []
  /** Files that are hashed on the main thread. */
  #here = 0
  #isOver = false

  /**
   * @param hear the bytes that were read since it was called before
   * @throws Complaint like `hashFile`
   */
  async hash(
    place: FilePlace,
    { type = 'sha256', hear = () => undefined }: { type?: HashType; hear?: (bytes: number) => void } = {},
  ): Promise<HashedFile> {
    if (this.#here > 0 && isLarge(place)) return this.#beside({ place, type }, hear)
    this.#here += 1
    try {
      return await hashFile(place, {
        type,
        hear: (bytes) => {
          if (this.#isOver) throw new Complaint(`${place.path} is hashed no more.`)
          hear(bytes)
        },
      })
    } finally {
      this.#here -= 1
    }
  }

  /** What is still hashed is given up. */
  end(): void {
    this.#isOver = true
    for (const thread of this.#all) void thread.terminate()
  }

  async #beside(asked: Asked, hear: (bytes: number) => void): Promise<HashedFile> {
    const thread = this.#idle.pop() ?? this.#start()
    // Waiting for an answer keeps the program alive, and an idle thread does not.
    thread.ref()
    thread.postMessage(asked)
    for await (const [answer] of on(thread, 'message') as AsyncIterable<[Answer]>) {
      if ('bytes' in answer) {
        hear(answer.bytes)
        continue
      }
      thread.unref()
      this.#idle.push(thread)
      if ('hashed' in answer) return answer.hashed
      const { message, advice } = answer.complaint
      throw new Complaint(message, { advice })
    }
    throw new Error('A thread has no answer.')
  }

  #start(): Worker {
    const thread = new Worker(fileURLToPath(import.meta.url), { workerData: HASHES })
    this.#all.push(thread)
    return thread
  }
}

const isLarge = ({ at }: FilePlace): boolean => (lstatSync(at, { throwIfNoEntry: false })?.size ?? 0) >= LARGE

/** A few pieces of work beside each other, of which what comes is taken in the order in which they were begun. */
export class InOrder<T> {
  readonly #take: (one: T) => void | Promise<void>
  readonly #begun: Promise<T>[] = []

  constructor(take: (one: T) => void | Promise<void>) {
    this.#take = take
  }

  /**
   * Returns once one more may begin.
   * @param work or what comes of it, where there was nothing to wait for: of a million digests a promise each takes long
   * @throws what a piece of work, or taking it, has thrown
   */
  add(work: T | Promise<T>): void | Promise<void> {
    if (!(work instanceof Promise) && this.#begun.length === 0) return this.#take(work)
    const begun = Promise.resolve(work)
    // Thrown when its turn comes.
    begun.catch(() => undefined)
    this.#begun.push(begun)
    return this.#begun.length >= FILES_AT_ONCE ? this.#next() : undefined
  }

  async end(): Promise<void> {
    while (this.#begun.length > 0) await this.#next()
  }

  async #next(): Promise<void> {
    const first = this.#begun.shift()
    if (first !== undefined) await this.#take(await first)
  }
}

/** Says that a thread is one of these: the built program is one file, which every thread begins with. */
const HASHES = 'pharos hashes'

if (!isMainThread && workerData === HASHES)
  parentPort?.on('message', async ({ place: { path, at }, type }: Asked) => {
    const answer = (one: Answer): void => parentPort?.postMessage(one)
    try {
      const place = { path, at: typeof at === 'string' ? at : Buffer.from(at) }
      answer({ hashed: await hashFile(place, { type, hear: (bytes) => answer({ bytes }) }) })
    } catch (error) {
      const { message, advice } = asComplaint(error)
      answer({ complaint: { message, advice } })
    }
  })
