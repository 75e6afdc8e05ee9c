// Handshakes of the service are charged to the budget of their address, with the requests of the API.
import { expect, it } from 'vitest'
import { openTestApp } from '../../support/app.ts'
import { ask } from '../../support/http.ts'
import { connect, refusedHandshake } from './console_client.ts'

const minute = () => Math.floor(Date.now() / 60_000)

it('a handshake more than the budget of the address is refused with 429', async () => {
  const app = await openTestApp({ limits: { LIMIT_ADDRESS_PER_MINUTE: 3, LIMIT_CALLER_PER_MINUTE: 1_000 } })
  const auth = { token: app.owner.key }
  const spend = async () => {
    const began = minute()
    const { status } = await ask(app.port, '/api/json/users/me', { key: app.owner.key })
    const clients = [await connect(app.base, auth.token), await connect(app.base, auth.token)]
    const refused = await refusedHandshake(app.base, { auth })
    for (const { socket } of clients) socket.disconnect()
    return { status, refused, whole: minute() === began }
  }
  try {
    // A minute that begins in between says nothing; the next attempt lies in one.
    const first = await spend().catch(() => undefined)
    const { status, refused } = first?.whole === true ? first : await spend()
    expect(status).toBe(200)
    expect(refused).toEqual({ status: 429, code: 'rate_limited', retry_after_ms: expect.any(Number) })
  } finally {
    await app.close()
  }
})
