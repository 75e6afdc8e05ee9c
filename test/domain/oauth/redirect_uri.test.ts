// Which redirect addresses can be registered: https anywhere, http on loopback, schemes of applications, and no other.
import { describe, expect, it } from 'vitest'
import {
  describedClient,
  isLoopbackRedirect,
  isUnverified,
  redirectHost,
  refusedRedirect,
} from '../../../server/domain/oauth/described_client.ts'

describe('a redirect address', () => {
  it.each([
    'https://client.example/callback',
    'https://client.example:8443/callback?tenant=1',
    'http://127.0.0.1/callback',
    'http://127.0.0.1:8976/callback',
    'http://[::1]:1/',
    'http://localhost:33418/',
    'com.example.app:/callback',
    'cursor://anysphere.cursor-retrieval/oauth/callback',
  ])('may be %s', (uri) => expect(refusedRedirect(uri)).toBeUndefined())

  it.each([
    'http://client.example/callback',
    'http://127.0.0.1.evil.example/',
    'http://localhost.evil.example/',
    'https://client.example/#fragment',
    'https://client.example/#',
    'https://user@client.example/',
    'https://user:secret@client.example/',
    'https://@client.example/',
    'http://127.0.0.1@evil.example/',
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'blob:https://client.example/1',
    'Com.Example.App:/callback',
    '//client.example/callback',
    '/callback',
    'client.example',
    '',
    ' https://client.example/',
    'https://client.example/\n',
    'https://client.example\\@evil.example/',
    'https://clïent.example/',
    `https://client.example/${'a'.repeat(2_048)}`,
  ])('may not be %j', (uri) => expect(refusedRedirect(uri)).toEqual(expect.any(String)))

  it('shows a person the part that the client cannot make up', () => {
    expect(redirectHost('https://client.example:8443/a?b')).toBe('client.example:8443')
    expect(redirectHost('com.example.app:/a')).toBe('com.example.app')
    expect(isLoopbackRedirect('http://[::1]:4/')).toBe(true)
    expect(isLoopbackRedirect('https://localhost/')).toBe(false)
    expect(isUnverified('com.example.app:/a')).toBe(true)
    expect(isUnverified('https://client.example/')).toBe(false)
  })
})

describe('what a client says of itself', () => {
  it('has a name that cannot look like other words of the page', () => {
    const named = (client_name: string) =>
      describedClient({ client_name, redirect_uris: ['https://client.example/'] }).name
    expect(named('  Pharos\u202e evil\n\n\u0007console  ')).toBe('Pharos evil console')
    expect([...named('💡'.repeat(300))].length).toBe(100)
    expect(named(' \u200b ')).toBe('An application without a name')
  })

  it.each([
    'Pharos console',
    'The PHAROS-Console (new)',
    'Ｐhárós  console',
    'Ph\u0430ros',
    '\u0391cme sync',
    'Ba\u0578k',
    '\ua4d1ayments',
    '\u13aacme',
    '\ua4d1\ua4e7\ua4ee\ua4e3\ua4f3\ua4e2 \ua4da\ua4f3\ua4e0\ua4e2\ua4f3\ua4e1\ua4f0',
    'Pharos \u0441\u043e\u043f\u0455\u043e\u04cf\u0435',
  ])('is not called %s, which passes for another name', (client_name) => {
    const metadata = { client_name, redirect_uris: ['https://client.example/'] }
    expect(() => describedClient(metadata)).toThrow(
      expect.objectContaining({ code: 'invalid_client_metadata' }),
    )
  })

  it.each([
    'Яндекс Cloud',
    'Ωμέγα',
    'Ågård 3000',
    'Pharos uploader',
    '日本語 client',
    'Роса API',
    '\ua4ee\ua4f3 client',
  ])('may be called %s', (client_name) => {
    const metadata = { client_name, redirect_uris: ['https://client.example/'] }
    expect(describedClient(metadata).name).toBe(client_name)
  })

  it.each([
    ['no redirect addresses', {}, 'invalid_redirect_uri'],
    ['an empty list of them', { redirect_uris: [] }, 'invalid_redirect_uri'],
    ['too many of them', { redirect_uris: Array(21).fill('https://a.example/') }, 'invalid_redirect_uri'],
    [
      'too much of them',
      { redirect_uris: Array.from({ length: 5 }, (_, at) => `https://a.example/${at}${'x'.repeat(2_000)}`) },
      'invalid_redirect_uri',
    ],
    ['one that is refused', { redirect_uris: ['http://a.example/'] }, 'invalid_redirect_uri'],
    ['something else', { redirect_uris: [1] }, 'invalid_redirect_uri'],
    [
      'another way to authenticate',
      { redirect_uris: ['https://a.example/'], token_endpoint_auth_method: 'private_key_jwt' },
      'invalid_client_metadata',
    ],
    [
      'the implicit grant alone',
      { redirect_uris: ['https://a.example/'], grant_types: ['implicit'] },
      'invalid_client_metadata',
    ],
    [
      'response type token',
      { redirect_uris: ['https://a.example/'], response_types: ['token'] },
      'invalid_client_metadata',
    ],
    ['no object', [], 'invalid_client_metadata'],
  ])('is refused with %s', (_, metadata, code) => {
    expect(() => describedClient(metadata)).toThrow(expect.objectContaining({ code }))
  })
})
