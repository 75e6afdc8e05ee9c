// The four beacon queries of the GraphQL surface.
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { ask, eventually } from '../../support/http.ts'
import { testApp } from '../../support/test_app.ts'
import { beaconOf, errorsOf } from '../jsonapi/documents.ts'
import { askGraphql, codesOf, graphqlOf } from './ask_graphql.ts'

const app = testApp()
beforeAll(async () => {
  await app.finalize(30)
  // The server hears of a block shortly after it is committed.
  const [last] = await app.query<{ id: string }>('SELECT id FROM blocks ORDER BY height DESC LIMIT 1')
  await eventually(async () => (await head()).id === last?.id || undefined)
})

const FIELDS = '{ id hash timestamp previousHash }'
const query = (text: string, variables?: object) =>
  askGraphql(app.port, app.owner.key, text, variables === undefined ? {} : { variables })
const head = async () => {
  const { previous_hash, ...rest } = beaconOf(
    await ask(app.port, '/api/json/beacons/latest', { key: app.owner.key }),
  )
  return { ...rest, previousHash: previous_hash }
}

describe('beacon queries', () => {
  it('latestBeacon, beacon and beaconByHash answer what JSON:API answers, in camelCase', async () => {
    const { id, hash } = await head()
    const answer = await query(
      `query ($id: String!, $hash: String!) { latestBeacon ${FIELDS} beacon(id: $id) ${FIELDS} beaconByHash(hash: $hash) ${FIELDS} }`,
      { id, hash },
    )
    const one = await head()
    expect(graphqlOf(answer)).toEqual({ data: { latestBeacon: one, beacon: one, beaconByHash: one } })
  })

  it('beacons answers the 25 most recent ones, newest first', async () => {
    const { data } = graphqlOf(await query(`{ beacons ${FIELDS} }`))
    const beacons = z.array(z.looseObject({ hash: z.string() })).parse(data?.beacons)
    expect(beacons).toHaveLength(25)
    expect(beacons[0]).toEqual(await head())
    for (const [index, beacon] of beacons.slice(1).entries())
      expect(beacons[index]).toMatchObject({ previousHash: beacon.hash })
  })

  it('takes an id and a hash in either case', async () => {
    const { id, hash } = await head()
    const answer = await query(
      `{ beacon(id: "${id.toUpperCase()}") { id } beaconByHash(hash: "${hash.toUpperCase()}") { id } }`,
    )
    expect(graphqlOf(answer)).toEqual({ data: { beacon: { id }, beaconByHash: { id } } })
  })

  it('answers a miss with null and an entry not_found at the field, not with an HTTP error', async () => {
    const answer = await query(
      `{ ok: latestBeacon { id } beaconByHash(hash: "${'0'.repeat(64)}") { id } beacon(id: "01a2ce8e-9320-7630-bb7f-73edc8868b1d") { id } }`,
    )
    const { data, errors } = graphqlOf(answer)
    expect(data).toMatchObject({ ok: { id: (await head()).id }, beacon: null, beaconByHash: null })
    expect(errors?.map(({ path, extensions }) => [path, extensions.code]).toSorted()).toEqual([
      [['beacon'], 'not_found'],
      [['beaconByHash'], 'not_found'],
    ])
  })

  it.each(['', 'x', '0b6e7c7c-3a52-4a8f-9d6e-0c2f5b7f9a11', '\\u0000', 'é'])(
    'answers a malformed argument %j with null and invalid_argument',
    async (text) => {
      const answer = await query(`{ beacon(id: "${text}") { id } beaconByHash(hash: "${text}") { id } }`)
      expect(graphqlOf(answer).data).toEqual({ beacon: null, beaconByHash: null })
      expect(codesOf(answer).toSorted()).toEqual(['invalid_argument hash', 'invalid_argument id'])
    },
  )

  it('says of a malformed argument what JSON:API says of it', async () => {
    for (const [path, asked] of [
      ['beacons/zzz', 'beacon(id: "zzz")'],
      ['beacons/by-hash/zzz', 'beaconByHash(hash: "zzz")'],
    ]) {
      const [problem] = errorsOf(await ask(app.port, `/api/json/${path}`, { key: app.owner.key }))
      const [error] = graphqlOf(await query(`{ ${asked} { id } }`)).errors ?? []
      expect(error?.message).toBe(problem?.detail)
      expect(problem?.detail).toMatch(/^must be .*, in either case$/)
    }
  })

  it('knows no field beside the four, and no argument on beacons', async () => {
    for (const text of [
      '{ latestBeacon { merkleRoot } }',
      '{ latestBeacon { previous_hash } }',
      '{ beacons(first: 1) { id } }',
      '{ beacons(limit: 1) { id } }',
      '{ beacon { id } }',
      '{ beacon(id: 5) { id } }',
    ])
      expect(codesOf(await query(text))).toEqual(['invalid_argument'])
    expect(codesOf(await query('query ($id: String!) { beacon(id: $id) { id } }', { id: 5 }))).toEqual([
      'invalid_argument',
    ])
  })

  it('can be introspected', async () => {
    const { data } = graphqlOf(await query('{ __schema { queryType { name fields { name } } } }'))
    expect(data).toEqual({
      __schema: {
        queryType: {
          name: 'RootQueryType',
          fields: expect.arrayContaining(
            ['beacons', 'latestBeacon', 'beacon', 'beaconByHash'].map((name) => ({ name })),
          ),
        },
      },
    })
  })
})
