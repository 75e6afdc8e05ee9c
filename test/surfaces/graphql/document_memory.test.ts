// Documents are parsed and validated once while they are remembered; what is wrong stays wrong.
import { buildSchema } from 'graphql'
import { expect, it } from 'vitest'
import { parseDocument, validateDocument } from '../../../server/surfaces/graphql/run/prepare_operation.ts'

const schema = buildSchema('type Query { a: Int }')

it('answers the same document for the same text, and another for another', () => {
  expect(parseDocument('{ a }')).toBe(parseDocument('{ a }'))
  expect(parseDocument('{ a  }')).not.toBe(parseDocument('{ a }'))
})

it('forgets what was used longest ago, and never keeps a very long text', () => {
  const first = parseDocument('{ a } # first')
  for (let index = 0; index < 600; index += 1) parseDocument(`{ a } # ${index}`)
  expect(parseDocument('{ a } # first')).not.toBe(first)
  const long = `{ a } # ${'x'.repeat(20_000)}`
  expect(parseDocument(long)).not.toBe(parseDocument(long))
})

it('finds what is wrong every time, and judges by the schema it is asked for', () => {
  const wrong = parseDocument('{ b }')
  expect([validateDocument(schema, wrong, 50).length, validateDocument(schema, wrong, 50).length]).toEqual([
    1, 1,
  ])
  const right = parseDocument('{ a }')
  expect([validateDocument(schema, right, 50), validateDocument(schema, right, 50)]).toEqual([[], []])
  expect(validateDocument(buildSchema('type Query { c: Int }'), right, 50)).toHaveLength(1)
  expect(() => parseDocument('{')).toThrow('Syntax Error')
  expect(() => parseDocument('{')).toThrow('Syntax Error')
})
