// Action-style reads over JSON:API: arguments in `data`, the answer in `result`, failures that a caller can fix as results.
import { describe, expect, it } from 'vitest'
import { catalog } from '../../../server/catalog/catalog.ts'
import { UTILITIES } from '../../../server/domain/utilities/utilities.ts'
import { ask } from '../../support/http.ts'
import { testApp } from '../../support/test_app.ts'
import { refusals } from './documents.ts'

const app = testApp()

/** Without proofs, whose examples are about records of another ledger. */
const reads = catalog.actions.filter(
  ({ access, http }) => access === 'read' && !http.startsWith('POST /proof/'),
)

const call = (path: string, data: unknown) =>
  ask(app.port, `/api/json${path}`, { key: app.owner.key, body: { json: { data } } })

const pathOf = ({ http }: { readonly http: string }): string => http.split(' ')[1] ?? ''

/** What an example cannot fix in advance: the clock, ids, scores. */
const CHANGING: ReadonlySet<string> = new Set([
  'serverTime',
  'resolveId',
  'searchKnowledge',
  'fetchKnowledge',
  'knowledgeLinks',
])

describe('an action-style read', () => {
  it('is published for every utility and the three knowledge-base reads', () => {
    expect(reads.map(pathOf).toSorted()).toEqual(
      ['/kb/fetch', '/kb/links', '/kb/search', ...UTILITIES.map(pathOf)].toSorted(),
    )
  })

  it.each(reads.map((read) => [read.name, read] as const))(
    '%s answers its documented example with 201',
    async (name, read) => {
      const answer = await call(pathOf(read), read.example?.data ?? {})
      expect(answer.status).toBe(201)
      expect(answer.headers['content-type']).toBe('application/vnd.api+json')
      const body = answer.json() as { result: Record<string, unknown> }
      expect(Object.keys(body)).toEqual(['result'])
      if (CHANGING.has(name))
        expect(Object.keys(body.result)).toEqual(Object.keys(read.example?.result as object))
      else expect(body.result).toEqual(read.example?.result)
      expect(body.result).not.toHaveProperty('ok')
    },
  )

  it.each(reads.map((read) => [read.name, read] as const))(
    '%s names every required argument that is missing',
    async (_, read) => {
      const required = Object.entries(read.accepts).filter(([, one]) => one.required)
      const answer = await call(pathOf(read), {})
      if (required.length === 0) expect(answer.status).toBe(201)
      else expect(refusals(answer)).toEqual(required.map(([name]) => `400 required /data/${name}`).toSorted())
    },
  )

  it.each(reads.map((read) => [read.name, read] as const))(
    '%s refuses members it does not know and values of another type',
    async (_, read) => {
      const wrong = Object.fromEntries(Object.keys(read.accepts).map((name) => [name, [true]]))
      const answer = await call(pathOf(read), { ...wrong, colour: 'red' })
      expect(refusals(answer)).toEqual(
        [
          // A value that an action is asked about is an outcome, once nothing else is wrong.
          ...Object.entries(read.accepts).flatMap(([name, { outcome }]) =>
            outcome === undefined ? [`400 invalid_argument /data/${name}`] : [],
          ),
          '400 invalid_body /data/colour',
        ].toSorted(),
      )
    },
  )

  it('takes null for an optional argument as absent', async () => {
    const answer = await call('/utilities/hash', { text: 'abc', hash_type: null })
    expect(answer.json()).toMatchObject({ result: { algorithm: 'sha256' } })
  })

  it('answers what a caller can fix as a failure object, not as an error', async () => {
    const answer = await call('/utilities/hash', { text: 'abc', hash_type: 'crc32' })
    expect(answer.status).toBe(201)
    expect(answer.json()).toEqual({
      result: { ok: false, code: 'invalid', message: expect.any(String), retryable: false },
    })
  })

  it('hashes U+0000 like any other character, and refuses it where the database would have to hold it', async () => {
    const hashed = await call('/utilities/hash', { text: '\0' })
    expect(hashed.json()).toMatchObject({
      result: { hex: '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d' },
    })
    expect(refusals(await call('/kb/search', { query: 'a\0b' }))).toEqual([
      '400 invalid_argument /data/query',
    ])
  })

  it('is answered 405 for GET, and 401 without a credential', async () => {
    expect((await ask(app.port, '/api/json/utilities/hash', { key: app.owner.key })).headers.allow).toBe(
      'POST',
    )
    expect(
      (await ask(app.port, '/api/json/utilities/hash', { body: { json: { data: { text: '' } } } })).status,
    ).toBe(401)
  })
})
