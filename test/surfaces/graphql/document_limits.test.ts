// What one document may hold: enough for generated clients, and nothing that costs more than it is long.
import { afterAll, expect, it } from 'vitest'
import { ask } from '../../support/http.ts'
import { testApp } from '../../support/test_app.ts'
import { graphqlOf } from './ask_graphql.ts'

const app = testApp()
afterAll(async () => {
  expect(app.logged.filter(({ level }) => level === 'error')).toEqual([])
})

const send = (query: string, more: { operationName?: string; variables?: object } = {}) =>
  ask(app.port, '/gql', {
    key: app.owner.key,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ query, ...more }),
  })
const limitsOf = async (query: string, operationName?: string) => {
  const { errors } = graphqlOf(await send(query, operationName === undefined ? {} : { operationName }))
  return errors?.map(({ extensions: { meta } }) => meta?.limit)
}
const many = (count: number, make: (n: number) => string, apart = ' '): string =>
  Array.from({ length: count }, (_, n) => make(n)).join(apart)

it('what a generated client sends is answered: many operations and fragments, thousands of tokens', async () => {
  const fields =
    'id state claimsHash metadataHash itemHash visibility tags teamId creatorId insertedAt updatedAt'
  const parts = many(100, (n) => `fragment P${n} on Item { ${fields} }`)
  const operations = many(
    100,
    (n) =>
      `query Q${n}($id: ID!, $first: Int) { getItem(id: $id) { ...P${n} creator { id fullName } team { id name } } listItems(first: $first) { count results { ...P${n} } } }`,
  )
  const query = `${parts} ${operations}`
  expect(query.match(/\w+|[^\s\w]/g)?.length).toBeGreaterThan(6_000)
  const variables = { id: 'x', first: 10 }
  const { data, errors } = graphqlOf(await send(query, { operationName: 'Q7', variables }))
  expect(errors).toBeUndefined()
  expect(data).toMatchObject({ getItem: null })
})

it('brackets nest 200 deep, and no deeper where fragments are put in', async () => {
  const filter = (levels: number) =>
    `{ listBlocks(filter: ${'{not: '.repeat(levels)}{}${'}'.repeat(levels)}) { count } }`
  expect(await limitsOf(filter(198))).toEqual(['nesting'])
  expect(await limitsOf(filter(197))).not.toEqual(['nesting'])
  expect(await limitsOf(`{ a(b: ${'['.repeat(4_000)}${']'.repeat(4_000)}) }`)).toEqual(['nesting'])
  expect(await limitsOf('{ a'.repeat(100_000))).toEqual(['nesting'])
  const chain = (count: number, on: string, step: string) =>
    many(count, (n) => `fragment F${n} on ${on} { ${step.repeat(38)} ...F${n + 1} ${'} '.repeat(38)} }`)
  expect(await limitsOf(`{ __typename } ${chain(60, 'Block', 'previous { ')}`)).toEqual(['nesting'])
  expect(await limitsOf(`{ ...F0 __typename } ${chain(60, 'RootQueryType', '... { ')}`)).toEqual(['nesting'])
})

it('brackets in text are text, and what stands after the text is not', async () => {
  const deep = '{ a '.repeat(300)
  const texts = [
    String.raw`"a\""`,
    String.raw`"\\"`,
    '""',
    '"#"',
    '""""""',
    String.raw`"""a\""""b"""`,
    String.raw`"""\\""" """`,
    '"""\n"\n"""',
  ]
  for (const text of texts) expect(await limitsOf(`{ a(b: ${text}) ${deep} }`), text).toEqual(['nesting'])
  for (const comment of ['# "\n', '# """\r', '#\n'])
    expect(await limitsOf(`${comment}${deep}`), comment).toEqual(['nesting'])
  const open = '{[('.repeat(1_000)
  for (const text of [
    `"${open}"`,
    String.raw`"\"${open}"`,
    `"""${open}"""`,
    `${String.raw`"""\"""`} ${open} "\n " ${String.raw`\""""`}${open}"""`,
  ]) {
    const { data, errors } = graphqlOf(await send(`{ hash(text: ${text}) { result } } # ${open}`))
    expect(errors, text.slice(0, 10)).toBeUndefined()
    expect(data?.hash).toMatchObject({ result: expect.any(String) })
  }
})

it('250 different fragments are answered, 251 are too many, known or not', async () => {
  const known = many(250, (n) => `fragment F${n} on RootQueryType { __typename }`)
  const operations = many(5, (n) => `query Q${n} { ${many(50, (k) => `...F${n * 50 + k}`)} }`)
  const { data, errors } = graphqlOf(await send(`${operations} ${known}`, { operationName: 'Q3' }))
  expect(errors).toBeUndefined()
  expect(data).toEqual({ __typename: 'RootQueryType' })
  expect(await limitsOf(`${operations} ${known} fragment F on Item { id }`, 'Q3')).toEqual(['fragments'])
  expect(await limitsOf(`{ ${many(4_900, (n) => `...F${n}`)} }`)).toEqual(['fragments'])
})

it('values count wherever validation meets them: with every operation, and with every field of the same name', async () => {
  const list = (values: string) => `listBlocks(filter: {height: {in: [${values}]}}) { count } `
  const operations = many(300, (n) => `query Q${n}($v: Int) { ...F }`)
  const shared = `${operations} fragment F on RootQueryType { ${list('$v '.repeat(2_000))} }`
  expect(await limitsOf(shared, 'Q0')).toEqual(['repeats'])
  expect(
    await limitsOf(`{ __typename } fragment F on RootQueryType { ${list('1 '.repeat(100)).repeat(60)} }`),
  ).toEqual(['repeats'])
})
