// What belongs to a request ends with it: a repetition that a request pokes belongs to none.
import { expect, it } from 'vitest'
import { repeat } from '../../server/kernel/flow/repeat.ts'
import { errorId, requestFields, withinRequest } from '../../server/kernel/request_scope.ts'

it('a run that a request pokes is outside of it, and so are the runs after it', async () => {
  const seen: object[] = []
  const loop = repeat({
    everyMs: Number.POSITIVE_INFINITY,
    onError: () => undefined,
    run: async () => void seen.push(requestFields()),
  })
  await withinRequest(undefined, async () => {
    await loop.run()
    await loop.run()
  })
  await loop.stop()
  expect(seen).toEqual([{}, {}])
})

it('the first error of a request has its id, and every other one an id of its own', async () => {
  const ids = await withinRequest(undefined, async ({ id }) => {
    await undefined
    return [id, errorId(), errorId(), errorId()]
  })
  expect(ids[0]).toBe(ids[1])
  expect(new Set([...ids, errorId(), errorId()]).size).toBe(5)
})
