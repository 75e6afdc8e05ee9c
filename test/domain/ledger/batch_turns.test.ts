// Batches of many submitters take turns, so that a flood of one does not make another wait behind it.
import { expect, it } from 'vitest'
import { GROUPS, openBatchTurns } from '../../../server/domain/ledger/submitter.ts'

/** Batches that end when told to. */
function openBatches(connections: number) {
  const turns = openBatchTurns(connections)
  const begun: string[] = []
  const ends: (() => void)[] = []
  return {
    begun,
    send: (name: string) =>
      turns.run(name.slice(0, 1), async () => {
        begun.push(name)
        await new Promise<void>((resolve) => void ends.push(resolve))
        return name
      }),
    endOne: async () => {
      ends.shift()?.()
      await new Promise((resolve) => setImmediate(resolve))
    },
  }
}

it('a submitter with many batches makes the others wait for one of them', async () => {
  const { begun, send, endOne } = openBatches(GROUPS.lanes + 2)
  const all = ['a1', 'a2', 'a3', 'a4', 'b1', 'c1'].map(send)
  await new Promise((resolve) => setImmediate(resolve))
  expect(begun).toEqual(['a1', 'a2'])
  while (begun.length < all.length) await endOne()
  expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'a4'])
  await endOne()
  await endOne()
  expect(await Promise.all(all)).toEqual(['a1', 'a2', 'a3', 'a4', 'b1', 'c1'])
})

it('too many batches of one submitter are refused, and those of others are not', async () => {
  const { send, endOne } = openBatches(GROUPS.lanes)
  const running = [send('a1'), send('a2')]
  const waiting = Array.from({ length: 128 }, (_, index) => send(`a${index + 3}`))
  await expect(send('a_one_more')).rejects.toMatchObject({ code: 'database_unavailable' })
  const other = send('b1')
  for (let ended = 0; ended < 131; ended += 1) await endOne()
  expect((await Promise.all([...running, ...waiting, other])).length).toBe(131)
})
