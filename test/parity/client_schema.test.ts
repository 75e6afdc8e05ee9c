// What existing clients of GraphQL select and send is there, under the same names and of the same types.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  buildSchema,
  GraphQLEnumType,
  GraphQLInputObjectType,
  type GraphQLNamedType,
  GraphQLObjectType,
  type GraphQLSchema,
} from 'graphql'
import { describe, expect, it } from 'vitest'
import { catalog } from '../../server/catalog/catalog.ts'
import { cursorCodec } from '../../server/contract/keyset.ts'
import { buildGraphqlSchema } from '../../server/surfaces/graphql/schema/build_schema.ts'

const known = buildSchema(readFileSync(join(import.meta.dirname, '../golden/client_schema.graphql'), 'utf8'))
const ours: GraphQLSchema = buildGraphqlSchema({
  catalog,
  cursors: cursorCodec(Buffer.alloc(32)),
  beacons: () => Promise.reject(new Error('Nobody subscribes here.')),
})

/** `field(argument: Type): Type` of objects, `field: Type` of inputs, the members of enumerations. */
function partsOf(type: GraphQLNamedType | undefined): string[] {
  if (type instanceof GraphQLEnumType) return type.getValues().map(({ name }) => name)
  if (type instanceof GraphQLInputObjectType)
    return Object.values(type.getFields()).map((field) => `${field.name}: ${field.type}`)
  if (type instanceof GraphQLObjectType)
    return Object.values(type.getFields()).flatMap((field) => [
      `${field.name}: ${field.type}`,
      ...field.args.map((argument) => `${field.name}(${argument.name}: ${argument.type})`),
    ])
  return type === undefined ? ['missing'] : []
}

/** An endpoint that is asked has no address. Selections and variables of existing clients stay valid. */
const MAY_BE_NULL: ReadonlySet<string> = new Set(['WebhookEndpoint.url', 'CreateWebhookEndpointInput.url'])

const asToday = (type: string, part: string): string => {
  const [name = ''] = part.split(':')
  return MAY_BE_NULL.has(`${type}.${name}`) ? part.replace(/!$/, '') : part
}

const named = Object.values(known.getTypeMap()).filter(({ name }) => !name.startsWith('__'))

describe('clients find', () => {
  it.each(named.map((type) => [type.name, type] as const))('%s', (name, type) => {
    expect(ours.getType(name)?.constructor.name, name).toBe(type.constructor.name)
    expect(partsOf(ours.getType(name))).toEqual(
      expect.arrayContaining(partsOf(type).map((part) => asToday(name, part))),
    )
  })
})
