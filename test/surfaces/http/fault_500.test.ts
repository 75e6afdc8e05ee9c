// 500: a bug of ours says nothing but the id under which it stands in the log.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ask } from '../../support/http.ts'
import { testApp } from '../../support/test_app.ts'
import { askGraphql, graphqlOf } from '../graphql/ask_graphql.ts'
import { errorsOf } from '../jsonapi/documents.ts'
import { openScopedServer, type ScopedServer } from './scoped_server.ts'

const app = testApp()
let server: ScopedServer
beforeAll(async () => {
  // Its house lacks the services that most operations use: each of those is a bug.
  server = await openScopedServer(app)
})
afterAll(async () => {
  server.close()
})

describe('500 internal', () => {
  it('on JSON:API', async () => {
    const answer = await ask(server.port, '/api/json/beacons/latest', { key: 'api:read' })
    expect(answer.status).toBe(500)
    const [entry] = errorsOf(answer)
    expect(entry).toEqual({
      id: entry?.id,
      status: '500',
      code: 'internal',
      title: 'Internal',
      detail: 'something went wrong on our side',
      meta: {},
    })
    expect(server.logged.at(-1)).toMatchObject({ error_id: entry?.id, err: expect.any(TypeError) })
  })

  it('on GraphQL', async () => {
    const { data, errors } = graphqlOf(await askGraphql(server.port, 'api:read', '{ latestBeacon { id } }'))
    expect(data).toEqual({ latestBeacon: null })
    expect(errors).toHaveLength(1)
    expect(errors?.[0]).toMatchObject({
      message: 'something went wrong on our side',
      extensions: { code: 'internal', fields: [] },
    })
    expect(server.logged.at(-1)).toMatchObject({ error_id: errors?.[0]?.extensions.id })
  })
})
