// Long work leaves the thread to others between its pieces.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { inPieces, mapInPieces } from '../../server/kernel/in_pieces.ts'

let at = 0
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'setImmediate'] })
  at = 0
  vi.spyOn(performance, 'now').mockImplementation(() => at)
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

describe('work in pieces', () => {
  it('goes on at once while its piece is short', () => {
    const breathe = inPieces(() => true)
    at = 1
    expect(breathe()).toBeUndefined()
  })

  it('lets others pass once, and then leaves them three times as long as each piece took', async () => {
    const breathe = inPieces(() => true)
    const waits: number[] = []
    for (let piece = 0; piece < 8; piece += 1) {
      at += 4
      const turn = breathe()
      expect(turn).toBeDefined()
      let waited = 0
      let over = false
      void turn?.then(() => {
        over = true
      })
      await vi.advanceTimersByTimeAsync(0)
      while (!over) {
        waited += 1
        await vi.advanceTimersByTimeAsync(1)
      }
      waits.push(waited)
    }
    expect(waits).toEqual([0, 12, 12, 12, 12, 12, 12, 12])
  })

  it('who is alone does not rest', async () => {
    const breathe = inPieces(() => false)
    for (let piece = 0; piece < 8; piece += 1) {
      at += 4
      const turn = breathe()
      await vi.advanceTimersByTimeAsync(0)
      await turn
    }
  })

  it('what waited for something else is no long piece', async () => {
    const breathe = inPieces(() => true)
    for (let piece = 0; piece < 5; piece += 1) {
      at += 10_000
      const turn = breathe()
      await vi.advanceTimersByTimeAsync(18)
      await turn
    }
  })

  it('maps everything, in order', async () => {
    const breathe = inPieces(() => true)
    const mapped = mapInPieces(
      Array.from({ length: 100 }, (_, n) => n),
      (n) => {
        at += 1
        return n * 2
      },
      breathe,
    )
    await vi.advanceTimersByTimeAsync(10_000)
    expect(await mapped).toEqual(Array.from({ length: 100 }, (_, n) => n * 2))
  })
})
