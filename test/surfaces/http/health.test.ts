// /health/live and /health/ready while all is well: no credential, nothing cached, HEAD too.
import { beforeAll, describe, expect, it } from 'vitest'
import { ask } from '../../support/http.ts'
import { testApp } from '../../support/test_app.ts'

const app = testApp()
beforeAll(async () => {
  await app.finalize(2)
})

describe('health', () => {
  it('live answers without a credential', async () => {
    const answer = await ask(app.port, '/health/live')
    expect([answer.status, answer.json()]).toEqual([200, { live: true }])
    expect(answer.headers['cache-control']).toBe('no-store')
  })

  it('ready tells that the database answers and how old the head is', async () => {
    const answer = await ask(app.port, '/health/ready')
    expect([answer.status, answer.headers['cache-control']]).toEqual([200, 'no-store'])
    expect(answer.json()).toMatchObject({
      ready: true,
      database: 'ok',
      head_height: 2,
      head_age_ms: expect.any(Number),
    })
  })

  it('HEAD answers as GET, without a body', async () => {
    for (const path of ['/health/live', '/health/ready']) {
      const answer = await ask(app.port, path, { method: 'HEAD' })
      expect([answer.status, answer.text]).toEqual([200, ''])
    }
  })

  it('leaves lines at debug level only while all is well, because balancers ask often', async () => {
    const { headers } = await ask(app.port, '/health/ready')
    const line = () => app.logged.find(({ request_id }) => request_id === headers['x-request-id'])
    await expect.poll(line).toMatchObject({ msg: 'request.answered', status: 200, level: 'debug' })
    const refused = await ask(app.port, '/health/x')
    const other = () => app.logged.find(({ request_id }) => request_id === refused.headers['x-request-id'])
    await expect.poll(other).toMatchObject({ msg: 'request.answered', status: 404, level: 'info' })
  })

  it('nothing else answers there', async () => {
    for (const path of ['/health', '/health/', '/health/x'])
      expect((await ask(app.port, path)).status).toBe(404)
    expect((await ask(app.port, '/health/live', { method: 'POST', body: 'x' })).status).toBe(404)
  })
})
