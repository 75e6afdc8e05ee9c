// What the query page knows about a half-written text: its colours, its mistakes, the words that can come next.
import { CompletionContext } from '@codemirror/autocomplete'
import { EditorState } from '@codemirror/state'
import { buildSchema } from 'graphql'
import { describe, expect, it } from 'vitest'
import { completeQuery, queryLanguage } from '../../console-web/src/graphiql/query_language.ts'
import { fragmentOf, readSharedQuery, variablesMistake } from '../../console-web/src/graphiql/shared_query.ts'

const schema = buildSchema(`
  type Query { beacon(id: ID!): Beacon beacons(filter: Filter, order: [Order!]): [Beacon!]! }
  type Mutation { createBeacon(input: Filter!): Beacon }
  type Beacon { id: ID! hash: String! previous: Beacon }
  input Filter { state: State within: Filter }
  enum State { FINALIZED COMMITTED }
  enum Order { ASC DESC }
`)

/** The text as it is after each of the choices; `|` is the cursor. */
const choices = async (marked: string): Promise<string[]> => {
  const before = marked.slice(0, marked.indexOf('|'))
  const state = EditorState.create({
    doc: marked.replace('|', ''),
    extensions: queryLanguage(schema),
  })
  const found = await completeQuery(new CompletionContext(state, before.length, true))
  return (found?.options ?? []).map(({ label }) => before.slice(0, found?.from) + label)
}

describe('completion', () => {
  it.each([
    ['|', ['query', 'mutation', 'subscription', 'fragment']],
    ['{ |', ['{ beacon', '{ beacons', '{ __typename']],
    ['mutation M { |', ['mutation M { createBeacon']],
    ['{ beacon(id: "1") { |', ['{ beacon(id: "1") { id', '{ beacon(id: "1") { hash']],
    ['{ beacon(id: "1") { previous { ha|', ['{ beacon(id: "1") { previous { hash']],
    ['{ a: beacon(id: "1") { id } beac| }', ['{ a: beacon(id: "1") { id } beacons']],
    ['{ beacons(|', ['{ beacons(filter', '{ beacons(order']],
    ['{ beacons(filter: {|', ['{ beacons(filter: {state', '{ beacons(filter: {within']],
    ['{ beacons(filter: {within: {state: |', ['{ beacons(filter: {within: {state: FINALIZED']],
    ['{ beacons(order: [|', ['{ beacons(order: [ASC', '{ beacons(order: [DESC']],
    ['query Q($id: |', ['query Q($id: ID', 'query Q($id: Filter']],
    ['query Q($id: ID!) { beacon(id: $|', ['query Q($id: ID!) { beacon(id: $id']],
    ['query Q($id: ID!) { beacon(id: $i|', ['query Q($id: ID!) { beacon(id: $id']],
    ['fragment F on Be|', ['fragment F on Beacon']],
    ['fragment F on Beacon { |', ['fragment F on Beacon { id', 'fragment F on Beacon { hash']],
    ['{ beacons { ... on Beacon { ha|', ['{ beacons { ... on Beacon { hash']],
    ['{ beacons { id @inc|', ['{ beacons { id @include']],
  ])('%s', async (marked, expected) => {
    expect(await choices(marked)).toEqual(expect.arrayContaining(expected))
  })
  it('offers nothing that cannot stand there', async () => {
    expect(await choices('{ beacon(id: "1") { |')).not.toContain('{ beacon(id: "1") { beacons')
    expect(await choices('{ beacons # a note|')).toEqual([])
  })
})

describe('mistakes', () => {
  it('variables are one JSON object, or nothing', () => {
    expect(['', '{"a": 1}'].map(variablesMistake)).toEqual([null, null])
    expect(variablesMistake('[1]')).toMatch(/one JSON object/)
    expect(variablesMistake('{a')).toMatch(/JSON/)
  })
})

describe('taking a query elsewhere', () => {
  it('the fragment gives back what it was given', () => {
    const shared = { query: '{ a(b: "&=#%") }\n', variables: '{"x": "é"}' }
    expect(readSharedQuery(fragmentOf(shared) ?? '')).toEqual(shared)
    expect(fragmentOf({ query: 'x'.repeat(20_000), variables: '' })).toBeNull()
    expect(readSharedQuery('#key=phk_1')).toBeNull()
  })
})
