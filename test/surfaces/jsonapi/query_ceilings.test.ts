// Whatever a list can be asked is refused beyond what the document allows, with its code and the number.
import { describe, expect, it } from 'vitest'
import { catalog } from '../../../server/catalog/catalog.ts'
import { CEILINGS } from '../../../server/kernel/ceilings.ts'
import { ask } from '../../support/http.ts'
import { testApp } from '../../support/test_app.ts'
import { plain } from '../hostile_values.ts'
import { asSchema, type Schema } from '../openapi/json_schema.ts'
import { type DocumentedParameter, openDocument, operationsOf, resolver } from '../openapi/open_document.ts'
import { errorsOf, pageOf } from './documents.ts'

const app = testApp()

const document = openDocument()
const resolve = resolver(document)
const lists = operationsOf(document).filter(({ id }) =>
  catalog.resources.some(({ operations }) =>
    operations.some(({ name, kind }) => name === id && kind === 'list'),
  ),
)

const get = (path: string, query: string) => ask(app.port, `${path}?${query}`, { key: app.owner.key })

/** What the document gives a number, as a query of one more. */
function beyond({ name, schema }: DocumentedParameter): [query: string, maximum: number][] {
  const whole = plain(resolve, schema)
  const own = name.startsWith('filter[') ? filtersBeyond(name, whole) : []
  const items = asSchema(whole.items ?? {})
  const word = Array.isArray(items.enum) ? String(items.enum[0]) : 'x'
  return [
    ...own,
    ...(typeof whole.maxItems === 'number'
      ? [
          [
            `${name}=${Array(whole.maxItems + 1)
              .fill(word)
              .join(',')}`,
            whole.maxItems,
          ] as [string, number],
        ]
      : []),
  ]
}

/** The operators of a field, and the value itself. */
function filtersBeyond(name: string, schema: Schema): [string, number][] {
  const operators = Object.entries(asSchema(schema.properties ?? {}))
  const found = operators.flatMap(([operator, one]): [string, number][] => {
    const operand = plain(resolve, asSchema(one))
    if (typeof operand.maxItems === 'number')
      return [
        [
          Array.from({ length: operand.maxItems + 1 }, () => `${name}[${operator}][]=x`).join('&'),
          operand.maxItems,
        ],
      ]
    if (typeof operand.maxLength !== 'number' || operand.enum !== undefined) return []
    return [[`${name}[${operator}]=${'x'.repeat(operand.maxLength + 1)}`, operand.maxLength]]
  })
  return found
}

describe.each(lists.map((one) => [one.id, one] as const))('%s', (_, { path, parameters }) => {
  const cases = parameters
    .filter(({ name }) => !name.includes('[and]') && !name.includes('[or]') && !name.includes('[not]'))
    .flatMap((parameter) =>
      beyond(parameter).map(([query, maximum]) => [query.slice(0, 60), query, maximum] as const),
    )
  it.each(cases)('refuses %s… with the number', async (_title, query, maximum) => {
    const answer = await get(path, query)
    expect(answer.status, answer.text.slice(0, 300)).toBe(400)
    expect(errorsOf(answer).map(({ meta }) => meta)).toContainEqual(expect.objectContaining({ maximum }))
  })
})

describe('a query', () => {
  const items = '/api/json/items'

  it('has at most 1,000 parameters, known or not', async () => {
    const of = (count: number) => Array.from({ length: count }, (_, n) => `x${n}=`).join('&')
    const answer = await get(items, of(1_001))
    expect(errorsOf(answer)).toMatchObject([{ code: 'invalid_argument', meta: { maximum: 1_000 } }])
    pageOf(await get(items, of(1_000)))
  })

  it('is told of so many mistakes', async () => {
    const wrong = Array.from({ length: 300 }, (_, n) => `fields[t${n}]=x`).join('&')
    expect(errorsOf(await get(items, wrong))).toHaveLength(CEILINGS.problems.byDefault)
  })

  it.each([
    ['page[limit]=0', { minimum: 1, value: '0' }],
    ['page[limit]=zzz', { minimum: 1, value: 'zzz' }],
    [`page[limit]=${'z'.repeat(100)}`, { minimum: 1 }],
    ['page[offset]=-1', { minimum: 0, value: '-1' }],
    ['include=block.previous.previous.previous.previous', { maximum: 4 }],
    [`filter${'[not]'.repeat(9)}[state]=created`, { maximum: 8 }],
    [Array.from({ length: 101 }, (_, n) => `filter[or][${n}][state]=created`).join('&'), { maximum: 100 }],
    [Array.from({ length: 401 }, (_, n) => `filter[a${n}]=`).join('&'), { maximum: 400 }],
  ])('tells the bound it breaks: %s', async (query, meta) => {
    const answer = await get(items, query)
    expect(errorsOf(answer).map((one) => one.meta)).toEqual([meta])
  })
})

describe('a filter by an id', () => {
  const byId = catalog.resources.flatMap(({ type, path, id, fields, operations }) =>
    operations.some(({ kind }) => kind === 'list')
      ? [
          ['id', id] as const,
          ...Object.entries(fields).flatMap(([name, { kind, filter }]) =>
            filter === true && (kind.name === 'uuid7' || kind.name === 'ulid') ? [[name, kind] as const] : [],
          ),
        ].map(([name, kind]) => [type, name, path, kind.name] as const)
      : [],
  )
  it.each(byId)('of %s by %s that is none is 400, and found in either case', async (_, name, path, kind) => {
    for (const value of ['zzz', '', '01a2ce8e-9320-4630-bb7f-73edc8868b1d', 'x'.repeat(200)])
      for (const operator of ['', '[not_eq]', '[less_than]', '[in][]']) {
        const answer = await get(`/api/json${path}`, `filter[${name}]${operator}=${value}`)
        expect(errorsOf(answer).map(({ status, code }) => `${status} ${code}`)).toEqual([
          '400 invalid_filter',
        ])
      }
    const id = kind === 'ulid' ? '01mb78w7fgy7tzhknwe7wa3z57' : '01A2CE8E-9320-7630-BB7F-73EDC8868B1D'
    expect(pageOf(await get(`/api/json${path}`, `filter[${name}]=${id}`)).data).toEqual([])
  })
})
