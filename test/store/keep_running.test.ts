// A database that ends by itself is started again for as long as that takes, later and later, and says why it is away.
import { expect, it } from 'vitest'
import { keepRunning } from '../../server/store/embedded/postgres_process.ts'
import { logTail } from '../../server/store/embedded/run_program.ts'

/** A database that ends when the test says so. */
function database() {
  const ended = Promise.withResolvers<string>()
  const words = logTail()
  let stops = 0
  const launched: Parameters<typeof keepRunning>[0]['first'] = {
    port: 1,
    postmaster: {
      words,
      lastHeard: () => 0,
      ended: ended.promise,
      hasEnded: () => false,
      stop: async () => {
        stops += 1
        ended.resolve('exit code 0')
      },
    },
  }
  return { launched, words, end: ended.resolve, stops: () => stops }
}

/** A pause lasts until the test lets it end. */
function pauses() {
  const asked: number[] = []
  let goOn = (): void => undefined
  return {
    asked,
    next: () => goOn(),
    pause: (ms: number, stopped: AbortSignal) =>
      new Promise<void>((resolve) => {
        asked.push(ms)
        goOn = resolve
        stopped.addEventListener('abort', () => resolve())
      }),
  }
}

it('with patience, however often it does not start, and tells when there is one again', async () => {
  const first = database()
  const second = database()
  const { asked, next, pause } = pauses()
  let full = true
  const kept = keepRunning({
    first: first.launched,
    log: () => undefined,
    pause,
    again: async () => {
      if (full) throw new Error('FATAL:  could not write: No space left on device')
      return second.launched
    },
  })
  const told: (string | undefined)[] = []
  kept.onTrouble((why) => told.push(why))
  expect(kept.trouble()).toBe(undefined)
  first.words.add('PANIC:  could not write to file "pg_wal/xlogtemp.7": No space left on device\n')
  first.end('exit code 1')
  for (let turn = 1; turn <= 9; turn += 1) {
    await expect.poll(() => asked.length).toBe(turn)
    expect(kept.trouble()).toBe(
      turn === 1 ? 'exit code 1: its disk is full' : 'it does not start: its disk is full',
    )
    if (turn === 9) full = false
    next()
  }
  expect(asked).toEqual([0, 500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000])
  await expect.poll(kept.trouble).toBe(undefined)
  expect(told.at(-1)).toBe(undefined)
  await kept.stop()
  expect(second.stops()).toBeGreaterThan(0)
})

it('no more once it is stopped, also while it waits to start again', async () => {
  const first = database()
  const { asked, pause } = pauses()
  const kept = keepRunning({
    first: first.launched,
    log: () => undefined,
    pause,
    again: () => Promise.reject(new Error('not after a stop')),
  })
  first.end('signal SIGKILL')
  await expect.poll(() => asked).toEqual([0])
  expect(kept.trouble()).toBe('signal SIGKILL')
  await kept.stop()
  expect(asked).toEqual([0])
})
