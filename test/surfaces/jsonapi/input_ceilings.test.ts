// Whatever an operation takes is refused beyond what the document allows, in bounded time and with a bounded answer.
import { describe, expect, it } from 'vitest'
import { CEILINGS } from '../../../server/kernel/ceilings.ts'
import { type Answer, ask } from '../../support/http.ts'
import { testApp } from '../../support/test_app.ts'
import { sendsWithinCost } from '../cpu_time.ts'
import { type Hostile, hostileValues, plain } from '../hostile_values.ts'
import { asSchema, type Schema } from '../openapi/json_schema.ts'
import { openDocument, operationsOf, resolver } from '../openapi/open_document.ts'
import { errorsOf } from './documents.ts'

/** Of an answer: so many problems, each with a pointer of some names. */
const ANSWER_BYTES = 65_536

const ID = '01a2ce8e-9320-7630-bb7f-73edc8868b1d'

const document = openDocument()
const resolve = resolver(document)

interface Taken {
  readonly id: string
  readonly method: string
  readonly path: string
  /** Of a resource document; undefined for an action. */
  readonly type: unknown
  readonly attributes: Readonly<Record<string, unknown>>
}

/** Every operation with a body, and the schemas of what it takes. */
const taken: Taken[] = operationsOf(document).flatMap(({ id, method, path, body }) => {
  if (body === undefined) return []
  const data = plain(resolve, asSchema(asSchema(plain(resolve, body.schema).properties).data))
  const members = asSchema(data.properties ?? {})
  const type = members.type === undefined ? undefined : asSchema(members.type).const
  const attributes =
    type === undefined ? members : asSchema(plain(resolve, asSchema(members.attributes)).properties ?? {})
  return [{ id, method, path: path.replace(/\{\w+\}/g, ID), type, attributes }]
})

const app = testApp()

const send = ({ method, path }: Taken, body: string): Promise<Answer> =>
  ask(app.port, path, {
    method,
    key: app.owner.key,
    body,
    headers: { 'Content-Type': 'application/vnd.api+json' },
  })

/** The document around some attributes; a member that is refused keeps it from being carried out. */
const bodyOf = ({ type }: Taken, given: object): string =>
  JSON.stringify(
    type === undefined ? { data: given, refused: 0 } : { data: { type, attributes: given }, refused: 0 },
  )

/** As many bytes, and next to nothing to do. */
const plainBody = (bytes: number): string => `{"refused":"${'x'.repeat(Math.max(0, bytes - 14))}"}`

const root = ({ type }: Taken): string => (type === undefined ? '/data' : '/data/attributes')

/** What is told about the attribute, beside the member that is always refused. */
const toldAbout = (answer: Answer, pointer: string) =>
  errorsOf(answer).filter(({ source }) => {
    const at = source !== undefined && 'pointer' in source ? source.pointer : ''
    return at === pointer || at.startsWith(`${pointer}/`)
  })

/** What a plain body costs hardly depends on who refuses it. */
const sendWithinCost = sendsWithinCost((bytes) => {
  const [first] = taken
  if (first === undefined) throw new Error('No operation takes a body.')
  return send(first, plainBody(bytes))
})

async function tried(operation: Taken, body: string): Promise<Answer> {
  const answer = await sendWithinCost(body, () => send(operation, body))
  expect(answer.text.length).toBeLessThan(ANSWER_BYTES)
  // Bad input that a utility is asked about is an outcome.
  if (answer.status === 201) return answer
  expect(answer.status, answer.text.slice(0, 300)).toBe(400)
  expect(errorsOf(answer).length).toBeLessThanOrEqual(CEILINGS.problems.byDefault)
  return answer
}

it('walks every operation that takes a body', () => {
  expect(taken.length).toBeGreaterThan(20)
})

const membersOf = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [index.toString(36), 0]))
const MEMBERS = membersOf(16_000)
const MOST_MEMBERS = 16_384
const TOO_MANY_MEMBERS = membersOf(MOST_MEMBERS + 1)

const seen = new Set<string>()
const FAR_TOO_MUCH_BYTES = 100_000

/** All of them once for each schema, which judges how much there is; then those that are not far too much. */
function hostileFor(schema: Schema): Hostile[] {
  const rules = JSON.stringify(schema, (name, value: unknown) => (name === 'description' ? undefined : value))
  const isNew = !seen.has(rules)
  seen.add(rules)
  return hostileValues(resolve, schema).filter(
    ({ value }) => isNew || JSON.stringify(value).length < FAR_TOO_MUCH_BYTES,
  )
}

/** Before anything else is looked at. */
const TOO_MANY_TOLD = ['invalid_json', { reason: 'too_many_members', maximum: MOST_MEMBERS }]
const toldAlone = (answer: Answer) => errorsOf(answer).flatMap(({ code, meta }) => [code, meta])

it('refuses an object of far more members than are read', async () => {
  const [first] = taken
  if (first === undefined) throw new Error('No operation takes a body.')
  const answer = await tried(first, bodyOf(first, membersOf(50_000)))
  expect(toldAlone(answer)).toEqual(TOO_MANY_TOLD)
})

describe.each(taken)('$id', (operation) => {
  it('refuses 16,000 unknown members, and tells of some', async () => {
    const answer = await tried(operation, bodyOf(operation, MEMBERS))
    expect(errorsOf(answer)).toHaveLength(CEILINGS.problems.byDefault)
  })

  it('refuses an object of more members than are read', async () => {
    const answer = await tried(operation, bodyOf(operation, TOO_MANY_MEMBERS))
    expect(toldAlone(answer)).toEqual(TOO_MANY_TOLD)
  })

  it('refuses an unknown member with a name of 500,000 characters, and does not repeat it', async () => {
    await tried(operation, bodyOf(operation, { ['x'.repeat(500_000)]: 0 }))
  })

  const hostile: [string, string, Hostile][] = Object.entries(operation.attributes).flatMap(
    ([name, schema]) =>
      hostileFor(asSchema(schema)).map((one): [string, string, Hostile] => [name, one.title, one]),
  )
  it.each(hostile)('judges %s that is %s', async (name, _, { value, at, maximum, fits }) => {
    const pointer = `${root(operation)}/${name}`
    const answer = await tried(operation, bodyOf(operation, { [name]: value }))
    if (answer.status === 201) {
      expect(answer.json()).toMatchObject({ result: { ok: false, code: 'invalid' } })
      return
    }
    const told = toldAbout(answer, pointer)
    if (maximum !== undefined) {
      expect(told[0]?.meta).toMatchObject({ maximum })
      expect(told[0]?.source).toEqual({ pointer: `${pointer}${at}` })
    }
    if (fits === true) expect(told.filter(({ meta }) => 'maximum' in meta)).toEqual([])
  })
})
