// What has to be tidied up now and then: every server looks at its own beat, and nobody waits for one that died at it.
import { repeat } from '../kernel/repeat.ts'

export interface Chore {
  readonly name: string
  readonly everyMs: number
  /**
   * Does a bounded piece and answers how much it did. Safe to run on any number of servers at once: it takes what nobody
   * else holds, and one statement is all of it, so a server that dies in the middle leaves nothing behind.
   */
  readonly piece: (limit: number) => Promise<number>
}

export interface ChoreOptions {
  readonly chores: readonly Chore[]
  readonly onError: (error: unknown, chore: string) => void
  /** Told of every turn that found something to do. */
  readonly onDone?: (chore: string, done: number) => void
}

const PIECE = 1_000
/** Milliseconds. Servers that start together begin apart, but soon: one that is restarted every hour has its turns too. */
const FIRST_WITHIN_MS = 30_000

/** `close` lets the piece under way end and begins no other. */
export function startChores({ chores, onError, onDone }: ChoreOptions): {
  readonly close: () => Promise<void>
} {
  const repeated = chores.map(({ name, everyMs, piece }) =>
    repeat({
      firstMs: Math.random() * Math.min(everyMs, FIRST_WITHIN_MS),
      everyMs,
      onError: (error) => onError(error, name),
      run: async (signal) => {
        let done = 0
        try {
          for (let more = true; more && !signal.aborted; ) {
            const some = await piece(PIECE)
            done += some
            more = some === PIECE
          }
        } finally {
          if (done > 0) onDone?.(name, done)
        }
      },
    }),
  )
  return Object.freeze({
    close: async () => {
      await Promise.all(repeated.map(({ stop }) => stop()))
    },
  })
}
