// What the query page knows about a half-written text: its colours, its mistakes, the words that can come next.
import { buildSchema } from 'graphql'
import { describe, expect, it } from 'vitest'
import { completionsAt } from '../../console-web/src/graphiql/completion.ts'
import { curlCommand } from '../../console-web/src/graphiql/curl_command.ts'
import { editFor } from '../../console-web/src/graphiql/edit_text.ts'
import { prettyQuery } from '../../console-web/src/graphiql/operation.ts'
import { piecesOf } from '../../console-web/src/graphiql/piece.ts'
import { queryProblems, variablesProblem } from '../../console-web/src/graphiql/problem.ts'
import { searchSchema } from '../../console-web/src/graphiql/schema_search.ts'
import { fragmentOf, readSharedQuery } from '../../console-web/src/graphiql/shared_query.ts'
import { tokensOf } from '../../console-web/src/graphiql/token.ts'

const schema = buildSchema(`
  type Query { beacon(id: ID!): Beacon beacons(filter: Filter, order: [Order!]): [Beacon!]! }
  type Mutation { createBeacon(input: Filter!): Beacon }
  type Beacon { id: ID! hash: String! previous: Beacon }
  input Filter { state: State within: Filter }
  enum State { FINALIZED COMMITTED }
  enum Order { ASC DESC }
`)

/** `|` is the cursor. */
const labels = (marked: string): string[] => {
  const offset = marked.indexOf('|')
  return completionsAt(schema, marked.replace('|', ''), offset).choices.map(({ label }) => label)
}

describe('completion', () => {
  it.each([
    ['|', ['query', 'mutation', 'subscription', 'fragment']],
    ['{ |', ['beacon', 'beacons', '__typename']],
    ['mutation M { |', ['createBeacon', '__typename']],
    ['{ beacon(id: "1") { |', ['id', 'hash', 'previous', '__typename']],
    ['{ beacon(id: "1") { previous { ha|', ['hash']],
    ['{ a: beacon(id: "1") { id } beac| }', ['beacon', 'beacons']],
    ['{ beacons(|', ['filter', 'order']],
    ['{ beacons(filter: {|', ['state', 'within']],
    ['{ beacons(filter: {within: {state: |', ['FINALIZED', 'COMMITTED']],
    ['{ beacons(order: [|', ['ASC', 'DESC']],
    ['query Q($id: |', ['ID', 'Filter', 'State', 'Order', 'String', 'Boolean']],
    ['query Q($id: ID!) { beacon(id: $|', ['id']],
    ['{ beacons { ...|', ['on']],
    ['fragment F on Be|', ['Beacon']],
    ['fragment F on Beacon { |', ['id', 'hash', 'previous', '__typename']],
    ['{ beacons { ... on Beacon { ha|', ['hash']],
    ['{ beacons { id @inc|', ['include']],
    ['{ beacons # a note|', []],
  ])('%s', (marked, expected) => {
    expect(new Set(labels(marked))).toEqual(new Set(expected))
  })
})

describe('mistakes', () => {
  it('are found where they stand, and only the word is marked', () => {
    const text = '{\n  beacons { hesh }\n}'
    expect(queryProblems(text, schema)).toMatchObject([{ from: 14, to: 18, line: 2, column: 13 }])
  })
  it('in the grammar are found without a schema; at the end of the text the last word is marked', () => {
    expect(queryProblems('{ beacons { id }', null)).toMatchObject([{ from: 15, to: 16 }])
    expect(queryProblems('{ beacons { hesh } }', null)).toEqual([])
  })
  it('an empty text is not a mistake', () => {
    expect(queryProblems(' # later\n', schema)).toEqual([])
  })
  it('variables are one JSON object, or nothing', () => {
    expect(['', '{"a": 1}'].map(variablesProblem)).toEqual([null, null])
    expect(variablesProblem('[1]')).toMatch(/one JSON object/)
    expect(variablesProblem('{a')).toMatch(/JSON/)
  })
})

describe('the coloured copy', () => {
  it('is the text, character for character, whatever is in it', () => {
    for (const text of ['', '{ a(b: "c" # d\n', '"""\nopen', '\u{1f5fc} { é } \\', '$x @y ... -1.5e3'])
      for (const language of ['graphql', 'json'] as const) {
        const pieces = piecesOf(text, tokensOf(text, language), [{ from: 1, to: 4 }])
        expect(pieces.map((piece) => piece.text).join('')).toBe(text)
      }
  })
})

describe('typing', () => {
  it('brackets come in pairs, and a new line between them is indented', () => {
    expect(editFor('{', 'a ', 2, 2)).toEqual({ from: 2, to: 2, insert: '{}', caret: 3 })
    expect(editFor('}', '{}', 1, 1)).toEqual({ from: 1, to: 2, insert: '}', caret: 2 })
    expect(editFor('Enter', '  a {}', 5, 5)).toEqual({ from: 5, to: 5, insert: '\n    \n  ', caret: 10 })
    expect(editFor('Backspace', '{}', 1, 1)).toEqual({ from: 0, to: 2, insert: '', caret: 0 })
    expect(editFor('x', '{}', 1, 1)).toBeNull()
  })
})

describe('taking a query elsewhere', () => {
  it('the fragment gives back what it was given', () => {
    const shared = { query: '{ a(b: "&=#%") }\n', variables: '{"x": "é"}' }
    expect(readSharedQuery(fragmentOf(shared) ?? '')).toEqual(shared)
    expect(fragmentOf({ query: 'x'.repeat(20_000), variables: '' })).toBeNull()
    expect(readSharedQuery('#key=phk_1')).toBeNull()
  })
  it('the curl command survives quotes', () => {
    const query = { query: `{ a(b: "it's") }`, variables: '', operationName: null }
    expect(curlCommand(query, 'http://x', 'phk_1')).toContain(`-d '{"query":"{ a(b: \\"it'\\''s\\") }"}'`)
    expect(curlCommand({ ...query, variables: '{' }, 'http://x', 'phk_1')).toBeNull()
  })
  it('is written neatly unless a comment would be lost', () => {
    expect(prettyQuery('{a}')).toBe('{\n  a\n}\n')
    expect(prettyQuery('# why\n\n{a}')).toBe('# why\n{\n  a\n}\n')
    expect(prettyQuery('{a} # why')).toBeNull()
  })
})

describe('searching the schema', () => {
  it('names that begin with the word come first', () => {
    expect(searchSchema(schema, 'bea').slice(0, 3)).toEqual([
      { type: 'Beacon', field: null },
      { type: 'Query', field: 'beacon' },
      { type: 'Query', field: 'beacons' },
    ])
    expect(searchSchema(schema, ' ')).toEqual([])
  })
})
