// What no surface could answer is a 500 with a JSON body all the same, in the form of the surface it was meant for.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Koa from 'koa'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answerErrors } from '../../../server/surfaces/http/answer_request.ts'
import { ask } from '../../support/http.ts'

const logged: object[] = []
const log = Object.assign(Object.create(null), {
  error: (line: object) => void logged.push(line),
  warn: (line: object) => void logged.push(line),
})
const koa = new Koa()
koa.silent = true
const answerError = answerErrors(
  [{ prefix: '/gql', body: (problems) => ({ errors: problems.map(({ code }) => code) }) }],
  { base: () => 'http://localhost', log },
)
koa.use((ctx) => {
  try {
    // As many arguments as a stack does not hold, and a text longer than any can be.
    if (ctx.path === '/arguments') Math.max(...new Array(500_000).fill(0))
    'x'.repeat(2 ** 30)
  } catch (error) {
    answerError(ctx, error)
  }
})
const server = createServer(koa.callback())
beforeAll(() => new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve)))
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
const get = (path: string) => ask((server.address() as AddressInfo).port, path)

describe('a fault outside the surfaces', () => {
  it.each(['/arguments', '/.well-known/keyring.json', '/health/ready'])('at %s is JSON', async (path) => {
    const answer = await get(path)
    expect(answer.status).toBe(500)
    expect(answer.headers['content-type']).toBe('application/json')
    expect(answer.json()).toMatchObject({
      errors: [{ status: '500', code: 'internal', detail: 'something went wrong on our side', meta: {} }],
    })
    const [entry] = (answer.json() as { errors: { id: string }[] }).errors
    expect(logged.at(-1)).toMatchObject({ error_id: entry?.id, err: expect.any(RangeError) })
  })

  it('has the form of its surface', async () => {
    expect((await get('/gql')).json()).toEqual({ errors: ['internal'] })
    expect((await get('/gqlx')).json()).toMatchObject({ errors: [{ code: 'internal' }] })
  })
})
