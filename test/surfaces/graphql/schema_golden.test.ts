// The published GraphQL schema as a file, so that every change of it shows in the diff. UPDATE_GOLDEN=1 renews it.
import { getIntrospectionQuery, graphqlSync, printSchema, validateSchema } from 'graphql'
import { getMetadataStorage } from 'type-graphql'
import { expect, it } from 'vitest'
import { catalog } from '../../../server/catalog/catalog.ts'
import { cursorCodec } from '../../../server/contract/keyset.ts'
import { buildGraphqlSchema } from '../../../server/surfaces/graphql/schema/build_schema.ts'
import { expectGolden } from '../http/golden.ts'

const build = () =>
  buildGraphqlSchema({
    catalog,
    cursors: cursorCodec(Buffer.alloc(32)),
    beacons: () => Promise.reject(new Error('Nobody subscribes here.')),
  })

it('the schema is the one of test/golden/schema.graphql', () => {
  const schema = build()
  expectGolden('schema.graphql', `${printSchema(schema)}\n`)
  expect([schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].map(String)).toEqual(
    ['RootQueryType', 'RootMutationType', 'RootSubscriptionType'],
  )
})

it('the schema has no mistake, and tells of itself', () => {
  const schema = build()
  expect(validateSchema(schema)).toEqual([])
  expect(graphqlSync({ schema, source: getIntrospectionQuery() }).errors).toBeUndefined()
})

it('a schema that is built after others is the same, and is all that is kept', () => {
  const first = printSchema(build())
  expect(printSchema(build())).toBe(first)
  const { objectTypes, fields, enums } = getMetadataStorage()
  expect([objectTypes, fields, enums]).toEqual([[], [], []])
})
