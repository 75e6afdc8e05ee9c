// What is revoked ends on every surface of every server: requests at once, open connections as soon as the news of it
// arrives.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { accessToken, revokeGrant } from '../support/access_token.ts'
import { openTestApp, type TestApp } from '../support/app.ts'
import { ask, eventually } from '../support/http.ts'
import { testApp } from '../support/test_app.ts'
import { pingTools } from '../surfaces/agent/ping_tools.ts'
import { connect } from '../surfaces/console/console_client.ts'
import { enterStream } from '../surfaces/graphql/stream_client.ts'

const app = testApp()
let other: TestApp
beforeAll(async () => {
  other = await openTestApp({ beside: app })
})
afterAll(async () => {
  await other.close()
})

const GRAPHQL = `/gql?query=${encodeURIComponent('{ currentUser { id } }')}`

it('each stream counts the credentials that it is shown, by type', async () => {
  const { token } = await accessToken(app, { userId: app.owner.userId, scopes: ['api:read'] })
  const { socket } = await connect(`http://127.0.0.1:${app.port}`, token)
  socket.disconnect()
  ;(await enterStream(app.port, app.owner.key)).socket.close()
  const { text } = await ask(app.port, '/metrics')
  for (const labels of [
    'stream="console",credential="access_token"',
    'stream="graphql",credential="api_key"',
  ])
    expect(text).toContain(`pharos_stream_credentials_total{${labels}} 1\n`)
})

it.each([
  ['a grant', (grantId: string) => revokeGrant(app, grantId)],
  [
    'an account that is disabled',
    (_: string, userId: string) =>
      app.query('UPDATE users SET disabled_at = pharos_now() WHERE id = $1', [userId]),
  ],
] as const)('%s', async (name, end) => {
  const { userId } = await app.account(name.replaceAll(' ', '-'))
  const { token, grantId } = await accessToken(app, { userId, scopes: ['api:read'] })
  const tools = await accessToken(app, { userId, scopes: ['mcp:read'], resource: 'mcp', grantId })
  const servers = [app, other]
  const requests = servers.flatMap(({ port }) => [
    () => ask(port, '/api/json/users/me', { key: token }),
    () => ask(port, GRAPHQL, { key: token }),
    () => pingTools(port, tools.token),
  ])
  const streams = await Promise.all(
    servers.map(async ({ port }) => [
      (await connect(`http://127.0.0.1:${port}`, token)).ended,
      (await enterStream(port, token)).closed,
    ]),
  )
  for (const send of requests) expect((await send()).status).toBe(200)
  await end(grantId, userId)
  for (const send of requests)
    await eventually(async () => ((await send()).status === 401 ? true : undefined))
  expect(await Promise.all(streams.flat())).toEqual(
    servers.flatMap(() => ['io server disconnect', { code: 4403, why: 'The credential was revoked' }]),
  )
})
