// The order in which a request is judged: whoever is wrong in two ways is told the earlier one.
import { describe, expect, it } from 'vitest'
import { type Ask, ask, openWire } from '../../support/http.ts'
import { testApp } from '../../support/test_app.ts'
import { refusals } from './documents.ts'

const app = testApp()

const LARGE = 'x'.repeat(528_385)
const FOREIGN = { tenant: '01a2ce8e-9320-7630-bb7f-73edc8868b1d' }
const told = async (path: string, parts: Ask) => (await refusals(await ask(app.port, path, parts)))[0]
const withKey = (parts: Ask): Ask => ({ key: app.owner.key, ...parts })

describe('the order of checks', () => {
  it('413 before 401, 404 and 405', async () => {
    for (const path of ['/api/json/items', '/api/json/nothing', '/api/json/beacons'])
      expect(await told(path, { method: 'POST', body: LARGE })).toBe('413 request_too_large')
  })

  it('411 before 401', async () => {
    const wire = await openWire(app.port)
    wire.write(
      'POST /api/json/nothing HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n',
    )
    expect(await wire.until((text) => text.includes('}]}'))).toMatch(/^HTTP\/1\.1 411 [\s\S]*length_required/)
    wire.socket.destroy()
  })

  it('401 before 404 and 405', async () => {
    expect(await told('/api/json/nothing', {})).toBe('401 unauthorized')
    expect(await told('/api/json/beacons', { method: 'DELETE' })).toBe('401 unauthorized')
  })

  it('404 and 405 before the tenant', async () => {
    expect(await told('/api/json/nothing', withKey({ headers: FOREIGN }))).toBe('404 no_route_found')
    expect(await told('/api/json/beacons', withKey({ method: 'DELETE', headers: FOREIGN }))).toBe(
      '405 method_not_allowed',
    )
  })

  it('the tenant before 406 and 415', async () => {
    const headers = { ...FOREIGN, Accept: 'application/vnd.api+json;a=1', 'Content-Type': 'text/plain' }
    expect(await told('/api/json/items', withKey({ headers, body: '{' }))).toBe('403 forbidden_tenant')
    expect(await told('/api/json/beacons/x?page[limit]=x', withKey({ headers: FOREIGN }))).toBe(
      '403 forbidden_tenant',
    )
  })

  it('406 and 415 before the arguments', async () => {
    const headers = { Accept: 'application/vnd.api+json;a=1' }
    expect(await told('/api/json/beacons?page[limit]=x', withKey({ headers }))).toBe('406 not_acceptable')
    expect(
      await told('/api/json/items?x=%00', withKey({ headers: { 'Content-Type': 'text/plain' }, body: '{' })),
    ).toBe('415 unsupported_media_type')
  })

  it('the arguments before the row is looked for', async () => {
    const headers = { 'Content-Type': 'application/vnd.api+json' }
    expect(await told('/api/json/items/x', withKey({ method: 'PATCH', headers, body: '{' }))).toBe(
      '400 invalid_json',
    )
  })
})
