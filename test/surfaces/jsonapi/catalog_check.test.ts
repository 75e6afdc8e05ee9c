// The catalog is looked over before the server listens, and every kind of mistake is named.
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import {
  catalog,
  makeCatalog,
  type PublishedOperation,
  type PublishedResource,
} from '../../../server/catalog/catalog.ts'
import type { JsonSchema, Kind } from '../../../server/contract/kind.ts'
import { base64, text } from '../../../server/contract/kinds.ts'
import { field } from '../../../server/contract/resource.ts'
import { rowColumns, SHOWS_ALL } from '../../../server/contract/row_columns.ts'
import { isSealed, RELATIONS, type RelationName, SEALED_COLUMNS } from '../../../server/store/database.ts'
import { ALWAYS, statement } from '../../../server/store/statement.ts'
import { checkCatalog } from '../../catalog/check_catalog.ts'

const beacon = catalog.related('beacon')
const item = catalog.related('item')
const operation = (resource: PublishedResource, name: string): PublishedOperation => {
  const found = resource.operations.find((one) => one.name === name)
  if (found === undefined) throw new Error(`no ${name}`)
  return found
}
const told = (...resources: PublishedResource[]): string => {
  try {
    const types = new Set(resources.map(({ type }) => type))
    const others = catalog.resources.filter(({ type }) => !types.has(type))
    checkCatalog(makeCatalog([...resources, ...others], []))
  } catch (error) {
    return String(error)
  }
  return ''
}
/** A resource with one operation changed. */
const changed = (resource: PublishedResource, name: string, parts: object): PublishedResource => ({
  ...resource,
  operations: resource.operations.map((one) => (one.name === name ? Object.assign({ ...one }, parts) : one)),
})

describe('what is sealed', () => {
  const isRelation = (name: string): name is RelationName => Object.hasOwn(RELATIONS, name)

  it('is read by no list, whatever resource stands on its table', () => {
    const sealed = Object.keys(SEALED_COLUMNS).map((name) => name.split('.')[0] ?? '')
    for (const table of sealed.filter(isRelation)) {
      const { list, shape } = rowColumns({ ...beacon, table }, 'r', SHOWS_ALL)
      expect(Object.keys(RELATIONS[table]).some(isSealed), table).toBe(true)
      expect(Object.keys(shape).filter(isSealed)).toEqual([])
      expect(statement(shape, sql`SELECT ${list}`).compile().sql).not.toContain('sealed')
    }
    expect(sealed.filter(isRelation)).toContain('signing_keys')
  })
})

describe('checkCatalog', () => {
  it('has nothing against what we publish', () => {
    checkCatalog(catalog)
  })

  it('names a type, an operation and a route that are published twice', () => {
    expect(told(beacon, beacon)).toMatch(
      /type beacon is published twice[\s\S]*operation listBeacons[\s\S]*route GET \/beacons/,
    )
  })

  it('names a route that differs only in the name of its parameter', () => {
    const twin = Object.assign(
      { ...operation(beacon, 'beacon') },
      { name: 'twin', http: 'GET /beacons/:other', graphql: 'twin' },
    )
    expect(told({ ...beacon, operations: [...beacon.operations, twin] })).toMatch(
      /route GET \/beacons\/: is published twice/,
    )
  })

  it('names a GraphQL field that two operations claim, lists among them', () => {
    expect(told(changed(beacon, 'latestBeacon', { graphql: 'beacons' }))).toContain(
      'GraphQL field beacons is published twice',
    )
  })

  it('names an agent tool that two operations claim', () => {
    const tool = { name: 'hash', title: 'Hash a text' }
    const two = changed(changed(beacon, 'latestBeacon', { tool }), 'beacon', { tool })
    expect(told(two)).toContain('tool hash is published twice')
  })

  it('names an agent tool without a title, one whose name scripts could not call, and one that agents may not have', () => {
    expect(told(changed(beacon, 'beacon', { tool: { name: 'get_beacon', title: ' ' } }))).toContain(
      'the tool get_beacon has no title',
    )
    expect(told(changed(beacon, 'beacon', { tool: { name: 'get-beacon', title: 'Get' } }))).toContain(
      'beacon has a tool whose name is not in snake case',
    )
    const own = changed(beacon, 'beacon', { access: 'account', tool: { name: 'get_beacon', title: 'Get' } })
    expect(told(own)).toContain('the tool get_beacon needs more than agents may')
  })

  it('names what nobody explained: resource, field, operation, attribute, parameter', () => {
    expect(told({ ...beacon, doc: '' })).toContain('beacon has no doc')
    const [name = '', field] = Object.entries(beacon.fields)[0] ?? []
    expect(
      told({ ...beacon, fields: field === undefined ? {} : { [name]: { ...field, doc: '' } } }),
    ).toContain('beacon.hash has no doc')
    expect(told(changed(beacon, 'listBeacons', { doc: '' }))).toContain('listBeacons has no doc')
    const update = operation(item, 'updateItem')
    const accepts = 'accepts' in update ? update.accepts : {}
    const mute = Object.fromEntries(
      Object.entries(accepts).map(([one, attribute]) => [one, { ...attribute, doc: '' }]),
    )
    expect(told(changed(item, 'updateItem', { accepts: mute }))).toMatch(
      /updateItem\.visibility has no doc[\s\S]*updateItem\.tags has no doc/,
    )
    const one = operation(beacon, 'beacon')
    const parameters = 'parameters' in one ? one.parameters : {}
    const silent = Object.fromEntries(
      Object.entries(parameters).map(([key, parameter]) => [key, { ...parameter, doc: '' }]),
    )
    expect(told(changed(beacon, 'beacon', { parameters: silent }))).toContain('beacon.id has no doc')
  })

  it('names a route outside the path of its resource, also one that only begins alike', () => {
    for (const http of ['GET /elsewhere', 'GET /beaconsandmore', 'GET /beacon'])
      expect(told(changed(beacon, 'latestBeacon', { http }))).toContain(
        `latestBeacon is published at ${http}, outside /beacons`,
      )
  })

  it('names an access or a method that does not fit the kind, and lets `account` guard every kind', () => {
    expect(told(changed(beacon, 'latestBeacon', { access: 'write' }))).toContain(
      'latestBeacon has the access of another kind',
    )
    expect(told(changed(item, 'updateItem', { access: 'read' }))).toContain(
      'updateItem has the access of another kind',
    )
    expect(told(changed(beacon, 'latestBeacon', { http: 'POST /beacons/latest' }))).toContain(
      'latestBeacon has the method of another kind',
    )
    for (const [resource, name] of [
      [beacon, 'latestBeacon'],
      [item, 'updateItem'],
    ] as const)
      expect(told(changed(resource, name, { access: 'account', tool: undefined }))).toBe('')
  })

  it('names a relationship to what only the account itself may read', () => {
    const user = catalog.related('user')
    const guarded = {
      ...user,
      operations: user.operations.map((one) => Object.assign({ ...one }, { access: 'account' })),
    }
    expect(told(guarded)).toContain('item.creator shows user, which needs more access')
    const item = catalog.related('item')
    const guardedItem = {
      ...item,
      operations: item.operations.map((one) => Object.assign({ ...one }, { access: 'account' })),
    }
    expect(told(guarded, guardedItem)).not.toContain('item.creator shows user')
  })

  it('names a field called id or type, and a page larger than its maximum', () => {
    const [field] = Object.values(beacon.fields)
    if (field === undefined) throw new Error('no field')
    for (const name of ['id', 'type'])
      expect(told({ ...beacon, fields: { [name]: field } })).toContain(
        'beacon lists id or type among its fields',
      )
    expect(told({ ...beacon, page: { ...beacon.page, size: 251 } })).toContain(
      'beacon has pages larger than its maximum',
    )
  })

  it('names every text, list, map, object and related list that has no ceiling, wherever it stands', () => {
    const bare = (schema: JsonSchema): Kind => ({ ...text({ max: 1 }), schema })
    const unbounded: [JsonSchema, string][] = [
      [{ type: 'string' }, 'maxLength'],
      [{ type: ['string', 'null'] }, 'maxLength'],
      [{ type: 'string', maxLength: Number.POSITIVE_INFINITY }, 'maxLength'],
      [{ type: 'array', items: { type: 'string', maxLength: 5 } }, 'maxItems'],
      [{ type: 'array', items: { type: 'string' }, maxItems: 5 }, 'maxLength'],
      [{ type: 'object' }, 'maxProperties'],
      [{ type: 'object', maxProperties: 5, additionalProperties: { type: 'string' } }, 'maxLength'],
      [{ type: 'object', maxProperties: 5, additionalProperties: { type: 'integer' } }, 'propertyNames'],
      [{ type: 'object', properties: { a: { type: 'array' } } }, 'maxItems'],
      [{ anyOf: [{ type: 'null' }, { type: 'string' }] }, 'maxLength'],
      [{ type: ['object', 'string'], maxProperties: 5 }, 'maxLength'],
      [{}, 'what it is'],
    ]
    const update = operation(item, 'updateItem')
    const one = operation(beacon, 'beacon')
    for (const [schema, missing] of unbounded) {
      const says = new RegExp(`has no ceiling: a schema of it says ${missing}`)
      expect(told({ ...beacon, fields: { hash: field(bare(schema), 'A hash.') } })).toMatch(says)
      const accepts = {
        ...('accepts' in update ? update.accepts : {}),
        more: { kind: bare(schema), doc: 'More.', required: false, nullable: false },
      }
      expect(told(changed(item, 'updateItem', { accepts }))).toMatch(says)
      const parameters = 'parameters' in one ? one.parameters : {}
      const wide = Object.fromEntries(
        Object.keys(parameters).map((key) => [key, { ...parameters[key], schema }]),
      )
      expect(told(changed(beacon, 'beacon', { parameters: wide }))).toMatch(says)
    }
  })

  it('names what is taken and judged by nobody, a relationship to many without a ceiling, and a list in a result', () => {
    const silent = {
      kind: { ...text({ max: 1 }), input: undefined },
      doc: 'x',
      required: false,
      nullable: false,
    }
    expect(told(changed(item, 'updateItem', { accepts: { silent } }))).toContain(
      'updateItem.silent is taken, and nothing judges it',
    )
    const block = catalog.related('block')
    const { most: _, ...items } = block.relationships.items ?? {
      doc: '',
      many: true,
      target: 'item',
      on: () => ALWAYS,
    }
    expect(told({ ...block, relationships: { ...block.relationships, items } })).toContain(
      'block.items has no ceiling',
    )
    const [action] = catalog.actions
    if (action === undefined) throw new Error('no action')
    const result = { type: 'object', properties: { all: { type: 'array', items: { type: 'string' } } } }
    expect(() => checkCatalog(makeCatalog(catalog.resources, [{ ...action, result }]))).toThrow(
      `the result of ${action.name}.all has no ceiling`,
    )
  })

  it('names a resource on a table without an id, and a filter, sort or heavy column that its table has not', () => {
    expect(told({ ...beacon, table: 'signing_keys' })).toContain(
      'beacon stands on signing_keys, a table without an id, by which rows are found',
    )
    const note = text({ max: 9 })
    for (const asked of [{ filter: true }, { sort: true }])
      expect(told({ ...beacon, fields: { note: field(note, 'A note.', asked) } })).toContain(
        'beacon.note is filtered or sorted by blocks.note, which there is not',
      )
    expect(told({ ...beacon, fields: { note: field(note, 'A note.') } })).toBe('')
    expect(told({ ...beacon, heavy: ['note'] })).toContain(
      'beacon has a heavy column that blocks has not: note',
    )
  })

  it('names a field that would show what is sealed', () => {
    const fields = { sealed_seed: field(text({ max: 9 }), 'A seed.') }
    expect(told({ ...beacon, table: 'log_keys', fields })).toContain(
      'beacon.sealed_seed would show log_keys.sealed_seed: what is sealed is never shown',
    )
  })

  it('names two kinds of one name that are not alike, with the place of each', () => {
    const seed = field(base64({ bytes: 31 }), 'A seed.')
    expect(told({ ...beacon, fields: { ...beacon.fields, seed } })).toMatch(
      /(beacon\.seed is another Base64 than item\.signature|item\.signature is another Base64 than beacon\.seed): kinds that are not alike/,
    )
  })

  it('tells all mistakes at once', () => {
    expect(told({ ...beacon, doc: '', page: { ...beacon.page, size: 251 } }).split('\n')).toHaveLength(3)
  })
})
