// Restarts a database that ends by itself (killed, out of memory) on its old port. Servers reconnect to it.
// It is not a `repeat`, because it waits for the end of a process and not for a time.
import type { Launched } from './launch.ts'

/** After this many ends in a row, each within a minute of its start, the database is not started again. */
const MOST_ENDS_IN_A_ROW = 5
const STEADY_MS = 60_000

export interface Kept {
  readonly exited: Promise<string>
  readonly stop: () => Promise<void>
}

export const keepRunning = (
  first: Launched,
  log: (line: string) => void,
  again: () => Promise<Launched>,
): Kept => {
  let current = first
  let stopped = false
  let restarting: Promise<void> = Promise.resolve()
  let giveUp: (why: string) => void = () => undefined
  const exited = new Promise<string>((settle) => {
    giveUp = settle
  })

  const watch = async (endsBefore: number): Promise<void> => {
    const { postmaster } = current
    const began = performance.now()
    const how = await postmaster.ended
    if (stopped) return
    const ends = performance.now() - began > STEADY_MS ? 1 : endsBefore + 1
    const words = `The database ended by itself (${how}). Its last words:\n${postmaster.words.lastLines()}`
    if (ends > MOST_ENDS_IN_A_ROW) return giveUp(words)
    log(`The database ended by itself (${how}). Starting it again ...`)
    restarting = again().then(
      (launched) => {
        current = launched
        void watch(ends)
      },
      (error: unknown) => giveUp(`${words}\n${error instanceof Error ? error.message : String(error)}`),
    )
  }
  void watch(0)

  return {
    exited,
    stop: async () => {
      stopped = true
      await restarting
      await current.postmaster.stop()
    },
  }
}
