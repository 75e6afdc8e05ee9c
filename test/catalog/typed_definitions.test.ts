// The compiler leads from a declared field or attribute to everything that must follow. `tsc` holds what is expected
// here: a line that it would let through fails the type check, since the expected error is missing.
import { describe, expect, expectTypeOf, it } from 'vitest'
import { action, create, read, resource } from '../../server/catalog/define.ts'
import {
  attribute,
  type Given,
  isWhole,
  type Passed,
  readAttributes,
} from '../../server/contract/attribute.ts'
import {
  base64,
  boolean,
  enumeration,
  hex64,
  instant,
  integer,
  jsonObject,
  secretText,
  text,
  textList,
  textMap,
} from '../../server/contract/kinds.ts'
import { type ResultSchema, resultOf, textResult, wholeMember } from '../../server/contract/operation.ts'
import { bareRow, field, type OwnShow } from '../../server/contract/resource.ts'
import { invalid, readAction } from '../../server/domain/utilities/read_action.ts'
import { JsonText } from '../../server/kernel/json_text.ts'
import { collectProblems } from '../../server/kernel/problems.ts'
import { problem } from '../../server/kernel/refusal.ts'
import { TABLES } from '../../server/store/database.ts'
import { rowReader } from '../../server/store/row_reader.ts'

interface Row {
  readonly id: string
  readonly hash: string
  readonly note: string | null
  readonly secret: string
}

const ROW: Row = { id: 'a', hash: 'b', note: null, secret: 'c' }

const accepts = {
  name: attribute(text({ max: 9 }), 'What it is called.', { required: true }),
  state: attribute(enumeration(['open', 'shut']), 'How it is.', { required: true, nullable: true }),
  count: attribute(integer(), 'How many.'),
  until: attribute(instant(), 'Until when; null for ever.', { nullable: true }),
}

describe('run is given what is declared', () => {
  it('an attribute is required, optional or nullable as it says', () => {
    expectTypeOf<Given<typeof accepts>['name']>().toEqualTypeOf<string>()
    expectTypeOf<Given<typeof accepts>['state']>().toEqualTypeOf<'open' | 'shut' | null>()
    expectTypeOf<Given<typeof accepts>['count']>().toEqualTypeOf<number | undefined>()
    expectTypeOf<Given<typeof accepts>['until']>().toEqualTypeOf<string | null | undefined>()
    const least: Given<typeof accepts> = { name: 'a', state: null }
    expect(isWhole(accepts, least)).toBe(true)
    // @ts-expect-error `state` is required, although it may be null
    const without: Given<typeof accepts> = { name: 'a' }
    // @ts-expect-error absent is one thing, undefined another
    const unset: Given<typeof accepts> = { name: 'a', state: null, count: undefined }
    expect([isWhole(accepts, without), isWhole(accepts, unset)]).toEqual([false, true])
  })

  it('rules are asked about what passed, whatever else is missing', () => {
    expectTypeOf<Passed<typeof accepts>['name']>().toEqualTypeOf<string | undefined>()
    const problems = collectProblems(10)
    const passed = readAttributes({ name: 5, count: 7 }, accepts, problems)
    expectTypeOf(passed).toEqualTypeOf<Passed<typeof accepts>>()
    expect(passed).toEqual({ count: 7 })
    expect(isWhole(accepts, passed)).toBe(false)
  })

  it('each kind brings its type', () => {
    const all = {
      words: attribute(textList({ items: 2, length: 3 }), 'Words.', { required: true }),
      by_name: attribute(textMap({ entries: 2, name: 3, length: 4 }), 'By name.', { required: true }),
      yes: attribute(boolean(), 'Whether.', { required: true }),
      secret: attribute(secretText({ max: 3 }), 'A secret.', { required: true }),
    }
    expectTypeOf<Given<typeof all>['words']>().toEqualTypeOf<readonly string[]>()
    expectTypeOf<Given<typeof all>['by_name']>().toEqualTypeOf<Readonly<Record<string, string>>>()
    expectTypeOf<Given<typeof all>['yes']>().toEqualTypeOf<boolean>()
    const given = readAttributes(
      { words: ['a'], by_name: { b: 'c' }, yes: true, secret: 'd' },
      all,
      collectProblems(10),
    )
    expect(isWhole(all, given)).toBe(true)
  })

  it('another type in run, check or weigh is an error', async () => {
    const made = create({
      ...{ name: 'makeOne', doc: 'Makes one.', access: 'write', http: 'POST /ones', graphql: 'makeOne' },
      accepts,
      check: ({ count }) => (count === 0 ? [problem('invalid_attribute', { path: ['count'] })] : []),
      // @ts-expect-error there is no such attribute
      weigh: (unjudged) => Number(unjudged('counted')),
      run: async (_, given) => {
        expectTypeOf(given).toEqualTypeOf<Given<typeof accepts>>()
        // @ts-expect-error a text is no number
        const wrong: number = given.name
        // @ts-expect-error it may be absent
        const always: number = given.count
        // @ts-expect-error nothing of this name is accepted
        const unknown: unknown = given.nothing
        return { ...ROW, note: String([wrong, always, unknown]) }
      },
    })
    expect(made.kind).toBe('create')
  })

  it('a bare read is given the parameters of its path', () => {
    const parameter = {
      schema: { type: 'string' },
      doc: 'A hash.',
      example: 'a',
      read: (given: string) => given,
    }
    const one = read({
      ...{ name: 'oneByHash', doc: 'One.', access: 'read', http: 'GET /ones/:hash', graphql: 'oneByHash' },
      parameters: { hash: parameter },
      run: async (_, parameters) => {
        expectTypeOf(parameters).toEqualTypeOf<Readonly<Record<'hash', string>>>()
        // @ts-expect-error the path has no such parameter
        return { id: parameters.id }
      },
    })
    expect(one.kind).toBe('read')
  })

  it('what only the service writes cannot be taken', () => {
    const never = attribute(base64({ bytes: 1 }), 'Nothing judges it.', { required: true })
    // @ts-expect-error its kind lets no value through
    const given: Given<{ signature: typeof never }> = { signature: 'AA==' }
    expect(given).toBeDefined()
  })
})

const fields = {
  hash: field(hex64(), 'A hash.'),
  note: field(text({ max: 9 }), 'A note.', { nullable: true }),
  extra: field(jsonObject({ bytes: 9 }), 'More of it, of the caller’s own only.', { withheld: true }),
}

const parts = {
  type: 'one',
  path: '/ones',
  doc: 'One.',
  id: hex64(),
  table: 'blocks',
  hydrate: () => ROW,
  operations: [],
} as const

describe('what is shown is what is declared', () => {
  const define = resource<Row>()
  const extra = () => new JsonText('{}')

  it('a field is shown by its kind, from the member of its name', () => {
    const one = define({ ...parts, fields, show: { extra } })
    expect(one.shown.map(({ name }) => name)).toEqual(Object.keys(fields))
    const [context, nobody] = [Reflect.get({}, 'context'), () => undefined]
    expect(bareRow(one, context, ROW)).toEqual({ id: 'a', hash: 'b', note: null, extra: extra() })
    expect(bareRow(define({ ...parts, fields, show: { extra: nobody } }), context, ROW)).toEqual({
      id: 'a',
      hash: 'b',
      note: null,
    })
    const bytes = { ...ROW, hash: Buffer.from('0b66', 'hex'), note: 'c' }
    const { hash, note } = fields
    const stored = resource<typeof bytes>()({ ...parts, fields: { hash, note }, hydrate: () => bytes })
    expect(bareRow(stored, context, bytes)).toEqual({ id: 'a', hash: '0b66', note: 'c' })
  })

  it('a field that no member answers has a way of its own, null or nothing only where the field says so', () => {
    type Own = OwnShow<Row, typeof fields, null>
    expectTypeOf<Own['extra']>().toEqualTypeOf<(row: Row, context: null) => JsonText | undefined>()
    const { hash, note } = fields
    define({ ...parts, fields: { hash, note } })
    define({ ...parts, fields, show: { extra, note: () => null, hash: ({ secret }) => secret } })
    // @ts-expect-error what is withheld from some callers is not shown to all of them
    define({ ...parts, fields })
    // @ts-expect-error the row has no `other`
    define({ ...parts, fields: { hash, other: field(hex64(), 'Another.') } })
    // @ts-expect-error a text is no number
    define({ ...parts, fields: { hash: field(integer(), 'Of another type.') } })
    // @ts-expect-error `note` may be null in the row, and is not declared so
    define({ ...parts, fields: { note: field(text({ max: 9 }), 'Never null.') } })
    // @ts-expect-error `hash` is never null
    define({ ...parts, fields, show: { extra, hash: ({ note }) => note } })
    // @ts-expect-error a number is no text
    define({ ...parts, fields, show: { extra, note: () => 5 } })
    // @ts-expect-error an object leaves as the text that was hashed
    define({ ...parts, fields, show: { extra: () => ({}) } })
  })

  it('a column that is not listed cannot leak', () => {
    const { hash } = fields
    expect(
      Object.keys(bareRow(define({ ...parts, fields: { hash } }), Reflect.get({}, 'context'), ROW)),
    ).toEqual(['id', 'hash'])
    // @ts-expect-error `secret` is no field
    define({ ...parts, fields: { hash }, show: { secret: ({ secret }) => secret } })
  })

  it('what is sealed is no member of a row', () => {
    const keyOf = rowReader(TABLES.log_keys)
    type LogKey = ReturnType<typeof keyOf>
    expectTypeOf<LogKey['publicKey']>().toEqualTypeOf<Buffer>()
    const own = {
      ...parts,
      hydrate: (columns: Readonly<Record<string, unknown>>) => ({ ...keyOf(columns), id: 'a' }),
    }
    const seed = field(base64({ bytes: 64 }), 'A seed.')
    resource<LogKey & { id: string }>()({ ...own, fields: { public_key: seed } })
    // @ts-expect-error nobody reads `sealed_seed` but who opens it
    resource<LogKey & { id: string }>()({ ...own, fields: { sealed_seed: seed } })
    expect(Object.keys(keyOf({ number: 1, sealed_seed: Buffer.of(1) }))).not.toContain('sealedSeed')
  })

  it('what is only taken cannot be shown', () => {
    const taken = { secret: field(secretText({ max: 3 }), 'A secret.') }
    // @ts-expect-error no text is ever shown of this kind
    define({ ...parts, fields: taken })
    // @ts-expect-error in no other way either
    define({ ...parts, fields: taken, show: { secret: ({ secret }) => secret } })
  })
})

describe('an action answers what its result says', () => {
  const told = { doc: 'Counts.', access: 'read', http: 'POST /kb/count', graphql: 'count' } as const
  const result = resultOf({ count: wholeMember('How many.'), 'of?': textResult('Of what.') })

  it('every member, of its type, and a failure where the caller can mend the request', async () => {
    expectTypeOf(result).toEqualTypeOf<ResultSchema<{ readonly count: number } & { readonly of?: string }>>()
    const parts = { ...told, name: 'count', tool: { name: 'count', title: 'Count' }, accepts, result }
    const example = { data: { name: 'a', state: null }, result: { count: 1 } } as const
    readAction({ ...parts, example, run: async () => ({ count: 1, of: 'a' }) })
    readAction({ ...parts, example, run: async () => invalid('no such thing') })
    // @ts-expect-error `count` is missing
    readAction({ ...parts, example, run: async () => ({ of: 'a' }) })
    // @ts-expect-error a text is no number
    readAction({ ...parts, example, run: async (_, { name }) => ({ count: name }) })
    const wrong = { ...example, data: { name: 'a' } }
    // @ts-expect-error the example lacks `state`
    readAction({ ...parts, example: wrong, run: async () => ({ count: 1 }) })
    // @ts-expect-error the same holds of the catalog's own actions
    action({ ...told, name: 'count', graphqlShape: 'json', accepts, result, run: async () => ({ of: 'a' }) })
    expect(result.required).toEqual(['count'])
  })
})
