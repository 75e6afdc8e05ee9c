// An API key and a grant show when they were last used, to the minute, without a write per request.
import { expect, it } from 'vitest'
import { accessToken } from '../../support/access_token.ts'
import { openTestApp } from '../../support/app.ts'
import { ask } from '../../support/http.ts'

it('use is noted at the latest when the server stops; an unused key or grant stays unused', async () => {
  const app = await openTestApp()
  try {
    const { id: unused } = await app.apiKey({ userId: app.owner.userId })
    for (let sent = 0; sent < 3; sent += 1) await ask(app.port, '/api/json/users/me', { key: app.owner.key })
    const { userId } = app.owner
    const used = await accessToken(app, { userId, scopes: ['api:read'] })
    await accessToken(app, { userId, scopes: ['api:read'] })
    await ask(app.port, '/api/json/users/me', { key: used.token })
    await app.stop()
    const keys = await app.query<{ id: string; used: boolean }>(
      'SELECT id, last_used_at IS NOT NULL AS used FROM api_keys WHERE user_id = $1',
      [app.owner.userId],
    )
    expect(keys.filter(({ used }) => used)).toHaveLength(1)
    expect(keys.find(({ id }) => id === unused)?.used).toBe(false)
    const grants = await app.query<{ id: string }>(
      'SELECT id FROM oauth_grants WHERE last_used_at IS NOT NULL',
    )
    expect(grants).toEqual([{ id: used.grantId }])
  } finally {
    await app.close()
  }
})
