// Data that is written in parts is the text that JSON.stringify makes of it, up to the ceiling.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { answerParts } from '../../../server/surfaces/graphql/run/answer_parts.ts'

const never = () => undefined

it('is what JSON.stringify makes of it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.jsonValue({ maxDepth: 7 }), async (data) => {
      const written = await answerParts(data, 1e6, never)
      expect(written?.parts.join('')).toBe(JSON.stringify(data))
      expect(written?.bytes).toBe(Buffer.byteLength(JSON.stringify(data)))
    }),
  )
})

it('leaves out what is undefined, and writes null where there is no data', async () => {
  expect((await answerParts({ a: undefined, b: { c: undefined } }, 100, never))?.parts).toEqual(['{"b":{}}'])
  expect((await answerParts(undefined, 100, never))?.parts).toEqual(['null'])
})

it('a byte more than the ceiling is none, wherever it lies', async () => {
  const rows = { list: { results: Array.from({ length: 500 }, (_, n) => ({ n, text: 'ü'.repeat(200) })) } }
  const bytes = Buffer.byteLength(JSON.stringify(rows))
  expect((await answerParts(rows, bytes, never))?.bytes).toBe(bytes)
  expect(await answerParts(rows, bytes - 1, never)).toBeUndefined()
})
