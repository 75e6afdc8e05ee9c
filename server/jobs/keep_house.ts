// Runs the cleaning chores. Every server runs them at its own interval, so no chore depends on one server.
import { repeat } from '../kernel/flow/repeat.ts'

export interface Chore {
  readonly name: string
  readonly everyMs: number
  /**
   * Handles at most `limit` rows, or ten times as many where they cost little, and returns how many: at least `limit`
   * while there are more. It must be safe on several servers at once: it skips rows that another one has locked, or finds
   * them gone. It must be a single statement, so that a crash leaves nothing half done.
   */
  readonly piece: (limit: number) => Promise<number>
}

const PIECE = 1_000
/**
 * Milliseconds. The first run is at a random time, so that servers that start together do not run together. The time
 * is short, so that a server that restarts every hour still runs its chores.
 */
const FIRST_WITHIN_MS = 30_000

/** `close` waits for the current piece and starts no other. */
export function startChores({
  chores,
  onError,
  onDone,
}: {
  readonly chores: readonly Chore[]
  readonly onError: (error: unknown, chore: string) => void
  /** Called after each run that handled at least one row. */
  readonly onDone?: (chore: string, done: number) => void
}) {
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
            more = some >= PIECE
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
