// The published GraphQL schema as a file, so that every change of it shows in the diff. UPDATE_GOLDEN=1 renews it.
import { printSchema } from 'graphql'
import { expect, it } from 'vitest'
import { catalog } from '../../../server/catalog/catalog.ts'
import { cursorCodec } from '../../../server/contract/keyset.ts'
import { buildGraphqlSchema } from '../../../server/surfaces/graphql/schema/build_schema.ts'
import { expectGolden } from '../http/golden.ts'

it('the schema is the one of test/golden/schema.graphql', () => {
  const schema = buildGraphqlSchema({
    catalog,
    cursors: cursorCodec(Buffer.alloc(32)),
    beacons: () => Promise.reject(new Error('Nobody subscribes here.')),
  })
  expectGolden('schema.graphql', `${printSchema(schema)}\n`)
  expect([schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].map(String)).toEqual(
    ['RootQueryType', 'RootMutationType', 'RootSubscriptionType'],
  )
})
