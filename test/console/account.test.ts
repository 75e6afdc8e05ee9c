// What the account pages work out by themselves: states and expiry of keys, names of browsers, refusals at fields.
import { describe, expect, it } from 'vitest'
import { scopeWords } from '../../console-web/src/account/allowed_application.ts'
import { type ApiKey, expiryOf, keyCreation, stateOf } from '../../console-web/src/account/api_key.ts'
import { browserName } from '../../console-web/src/account/browser_session.ts'
import { ApiFailure } from '../../console-web/src/data/api_failure.ts'
import { refusalOf, wordsAt } from '../../console-web/src/data/use_sent_form.ts'
import { mayGive, ROLES } from '../../console-web/src/teams/team.ts'
import { RESOURCE_SCOPES } from '../../server/domain/accounts/scope.ts'

const NOW = Date.parse('2027-01-01T12:00:00.000Z')

const key = (more: Partial<ApiKey>): ApiKey => ({
  ...{ id: 'an id', name: 'Nightly job', prefix: 'phk_3vQb', lastUsedAt: null },
  ...{ expiresAt: null, revokedAt: null, insertedAt: '2027-01-01T00:00:00.000Z', ...more },
})

describe('the account pages', () => {
  it('say of a key what the service would', () => {
    expect(stateOf(key({}), NOW)).toBe('active')
    expect(stateOf(key({ expiresAt: '2027-01-01T12:00:00.001Z' }), NOW)).toBe('active')
    expect(stateOf(key({ expiresAt: '2027-01-01T12:00:00.000Z' }), NOW)).toBe('expired')
    expect(
      stateOf(key({ expiresAt: '2027-01-01T12:00:00.000Z', revokedAt: '2027-01-01T11:00:00.000Z' }), NOW),
    ).toBe('revoked')
  })

  it('let a key work to the end of its last day', () => {
    expect(expiryOf('never', '', NOW)).toBeNull()
    expect(expiryOf('7', '', NOW)).toBe('2027-01-08T12:00:00.000Z')
    expect(expiryOf('day', '2027-02-28', NOW)).toBe('2027-02-28T23:59:59.000Z')
    expect(expiryOf('day', '', NOW)).toBeUndefined()
    expect(keyCreation(' a name ', null)).toEqual({
      data: { type: 'api_key', attributes: { name: 'a name' } },
    })
  })

  it.each([
    ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36 Edg/150.0.0.0',
      'Edge on Windows',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1',
      'Safari on iPhone',
    ],
    [
      'Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Mobile Safari/537.36',
      'Chrome on Android',
    ],
    ['curl/8.5.0', 'curl/8.5.0'],
    ['', 'Unknown browser'],
  ])('recognise a browser by what it says: %s', (userAgent, name) => {
    expect(browserName(userAgent)).toBe(name)
  })

  it('have words for every scope there is', () => {
    for (const scope of Object.values(RESOURCE_SCOPES).flat()) expect(scopeWords(scope)).not.toBe(scope)
    expect([scopeWords('new:scope'), scopeWords('constructor')]).toEqual(['new:scope', 'constructor'])
  })

  it('offer the roles that the service lets one give', () => {
    expect(mayGive('owner')).toEqual(ROLES)
    expect(mayGive('admin')).toEqual(['admin', 'member', 'viewer'])
    expect([mayGive('member'), mayGive('viewer')]).toEqual([[], []])
  })

  it('put each refusal at its field, of attributes and of actions, and the rest below', () => {
    const problem = (pointer: string | null, detail: string) => ({ code: 'x', detail, pointer, meta: {} })
    const failure = new ApiFailure('refused', 'Refused.', {
      problems: [
        problem('/data/attributes/name', 'is too long'),
        problem('/data/current_password', 'is not the current password'),
        problem('/data/attributes/name', 'is something else too'),
        problem(null, 'the plan has no room'),
      ],
    })
    expect([...refusalOf(failure, wordsAt(['name', 'current_password']))]).toEqual([
      ['name', 'It is too long.'],
      ['current_password', 'It is not the current password.'],
      [null, 'The plan has no room.'],
    ])
    expect([...refusalOf(new ApiFailure('server', 'The server answered 503.'), wordsAt([]))]).toEqual([
      [null, 'The server answered 503.'],
    ])
  })
})
