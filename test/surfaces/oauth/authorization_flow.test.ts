// The whole flow of OAuth 2.1 with an ordinary client library: discovery, registration, sign-in, consent, code, tokens.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApp, type TestApp } from '../../support/app.ts'
import { allowClient } from '../../support/oauth.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.close())

describe('an ordinary client', () => {
  it('reads with the token that a person allowed it, and is refused a write', async () => {
    const { tokens } = await allowClient(app, { account: app.owner, scope: 'api:read' })
    expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: 900, scope: 'api:read' })
    const headers = { authorization: `Bearer ${tokens.access_token}` }
    expect((await fetch(`${app.base}/api/json/items`, { headers })).status).toBe(200)
    const written = await fetch(`${app.base}/api/json/items`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ data: { type: 'item', attributes: { claims: { name: 'x' } } } }),
    })
    expect(written.status).toBe(403)
    expect(written.headers.get('www-authenticate')).toContain('scope="api:write"')
  })
})
