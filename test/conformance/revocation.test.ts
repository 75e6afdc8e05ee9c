// What is revoked ends on every surface of every server: requests at once, open connections as soon as the news of it
// arrives.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { accessToken, revokeGrant } from '../support/access_token.ts'
import { openTestApp, type TestApp } from '../support/app.ts'
import { ask, eventually } from '../support/http.ts'
import { connect } from '../surfaces/console/console_client.ts'
import { enterStream } from '../surfaces/graphql/stream_client.ts'

let app: TestApp
let other: TestApp
beforeAll(async () => {
  app = await openTestApp()
  other = await openTestApp({ beside: app })
})
afterAll(async () => {
  await other.close()
  await app.close()
})

const statusOf = async ({ port }: TestApp, path: string, key: string) =>
  (await ask(port, path, { key })).status
const JSON_API = '/api/json/users/me'
const GRAPHQL = `/gql?query=${encodeURIComponent('{ currentUser { id } }')}`

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
  const servers = [app, other]
  const streams = await Promise.all(
    servers.map(async ({ port }) => [
      (await connect(`http://127.0.0.1:${port}`, token)).ended,
      (await enterStream(port, token)).closed,
    ]),
  )
  for (const server of servers)
    for (const path of [JSON_API, GRAPHQL]) expect(await statusOf(server, path, token)).toBe(200)
  await end(grantId, userId)
  for (const server of servers)
    for (const path of [JSON_API, GRAPHQL])
      await eventually(async () => ((await statusOf(server, path, token)) === 401 ? true : undefined))
  expect(await Promise.all(streams.flat())).toEqual(
    servers.flatMap(() => ['io server disconnect', { code: 4403, why: 'The credential was revoked' }]),
  )
})
