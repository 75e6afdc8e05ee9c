// Nobody is sent to an address that the client did not register, whether with a code or with an error (RFC 9700
// sections 2.1 and 4.11).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { BrowserJar } from '../support/browser_jar.ts'
import { ask } from '../support/http.ts'
import { authorizationRequest, registerTestClient } from '../support/oauth.ts'
import { authorize, openScene, otherPerson, type Scene } from './scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
  await authorize(scene)
})
afterAll(() => scene.app.close())

const REGISTERED = 'https://client.example/callback?kept=1'
const LOOPBACK = 'http://127.0.0.1/cb'
const PRIVATE = 'com.example.app:/cb'

/** Whatever the request, nothing is sent on, and the page shows no link either. */
async function expectHeld(browser: BrowserJar, url: URL | string): Promise<void> {
  const { status, location, text, headers } = await browser.get(url)
  expect([String(url), status, location]).toEqual([String(url), 400, undefined])
  expect(text).not.toMatch(/<(a|form|meta http)\b/)
  expect(headers.get('content-security-policy')).toContain("form-action 'self';")
  expect(headers.get('refresh')).toBeNull()
}

describe('a redirect address', () => {
  const NEAR: readonly string[] = [
    'https://client.example/callback',
    'https://client.example/callback?kept=1&more=1',
    'https://client.example/callback?kept=1#',
    'https://client.example/callback?kept=1#fragment',
    'https://client.example/callback/../evil?kept=1',
    'https://client.example/callback/?kept=1',
    'https://client.example//callback?kept=1',
    'https://client.example/%63allback?kept=1',
    'https://client.example/Callback?kept=1',
    'https://CLIENT.example/callback?kept=1',
    'HTTPS://client.example/callback?kept=1',
    'http://client.example/callback?kept=1',
    'https://client.example:443/callback?kept=1',
    'https://client.example:8443/callback?kept=1',
    'https://client.example./callback?kept=1',
    'https://client.example.evil.example/callback?kept=1',
    'https://evilclient.example/callback?kept=1',
    'https://client.example@evil.example/callback?kept=1',
    'https://evil.example/https://client.example/callback?kept=1',
    'https://evil.example\\@client.example/callback?kept=1',
    'https://evil.example#@client.example/callback?kept=1',
    'https:client.example/callback?kept=1',
    '//client.example/callback?kept=1',
    '/callback',
    '\\\\evil.example',
    'javascript:alert(1)',
    'data:text/html,hello',
    ' https://client.example/callback?kept=1',
    'https://client.example/callback?kept=1\n',
    'https://client.example/callback?kept=1\0',
    'http://127.0.0.1/cb/',
    'http://127.0.0.1/CB',
    'http://127.0.0.1/cb?more=1',
    'http://127.0.0.1:99999/cb',
    'http://127.0.0.1:1234:5678/cb',
    'http://127.0.0.1:80@evil.example/cb',
    'http://127.0.0.1.evil.example/cb',
    'http://127.0.0.2/cb',
    'http://localhost/cb',
    'http://[::1]/cb',
    'http://2130706433/cb',
    'https://127.0.0.1/cb',
    'com.example.app:/cb2',
    'com.example.app://cb',
    'com.example.app2:/cb',
    'COM.EXAMPLE.APP:/cb',
    '',
  ]

  it('that is not registered to the letter gets neither code nor error', async () => {
    const client = await registerTestClient(scene.server, { redirect_uris: [REGISTERED, LOOPBACK, PRIVATE] })
    const spoilt = [
      {},
      { response_type: 'token' },
      { code_challenge: null },
      { prompt: 'none' },
      { scope: '!' },
    ]
    for (const [at, redirect_uri] of NEAR.entries()) {
      const also = spoilt[at % spoilt.length] ?? {}
      const { url } = await authorizationRequest(scene.server, client, { redirect_uri, ...also })
      await expectHeld(scene.browser, url)
    }
    const twice = (await authorizationRequest(scene.server, client, { redirect_uri: REGISTERED })).url
    twice.searchParams.append('redirect_uri', 'https://evil.example/')
    await expectHeld(scene.browser, twice)
    const none = (await authorizationRequest(scene.server, client, { redirect_uri: null })).url
    none.searchParams.delete('redirect_uri')
    await expectHeld(scene.browser, none)
  })

  it('of a client that is unknown, missing or there twice leads nowhere', async () => {
    const { url } = await authorizationRequest(scene.server, scene.client)
    for (const client of ['nobody', '', '__proto__', 'constructor', '%00', 'console\0']) {
      url.searchParams.set('client_id', client)
      await expectHeld(scene.browser, url)
    }
    url.searchParams.append('client_id', scene.client.client_id)
    await expectHeld(scene.browser, url)
    url.searchParams.delete('client_id')
    await expectHeld(scene.browser, url)
  })

  it('of a loopback client may have any port, and is asked about each time', async () => {
    const client = await registerTestClient(scene.server, { redirect_uris: [LOOPBACK] })
    const redirect_uri = 'http://127.0.0.1:54321/cb'
    for (const _ of [1, 2]) {
      const { url } = await authorizationRequest(scene.server, client, { redirect_uri })
      const consent = await scene.browser.follow(await scene.browser.get(url))
      expect(consent.text).toContain('127.0.0.1:54321')
      const done = await scene.browser.follow(await scene.browser.submit(consent, '/consent'))
      expect(done.location?.href).toMatch(/^http:\/\/127\.0\.0\.1:54321\/cb\?code=/)
    }
  })

  it('keeps its own query, and no parameter of the request becomes another', async () => {
    const client = await registerTestClient(scene.server, { redirect_uris: [REGISTERED] })
    const state = 'a&code=injected#fragment\r\nSet-Cookie: a=b'
    const { callback } = await authorize({ ...scene, client }, { redirect_uri: REGISTERED, state })
    expect([...callback.searchParams.keys()].sort()).toEqual(['code', 'iss', 'kept', 'state'])
    expect(callback.searchParams.get('state')).toBe(state)
    expect(callback.searchParams.get('code')).not.toBe('injected')
  })

  it('of the console is its own page, on whatever address the service has', async () => {
    for (const redirect_uri of ['/signed-in/', '/signed-in?next=//evil.example', '/', '/oauth/sign-out'])
      await expectHeld(
        scene.browser,
        (
          await authorizationRequest(
            scene.server,
            { client_id: 'console' },
            { redirect_uri: `${scene.app.base}${redirect_uri}` },
          )
        ).url,
      )
    const elsewhere = `http://127.0.0.1:${scene.app.port + 1}/signed-in`
    const { url } = await authorizationRequest(
      scene.server,
      { client_id: 'console' },
      { redirect_uri: elsewhere },
    )
    await expectHeld(scene.browser, url)
  })
})

describe('our own redirects', () => {
  it('stay on our own address, whatever a request names', async () => {
    const tricks = ['//evil.example', '/\\evil.example', 'https://evil.example', '/%2f/evil.example']
    for (const trick of tricks) {
      const query = ['next', 'return_to', 'returnTo', 'redirect', 'redirect_uri', 'post_logout_redirect_uri']
        .map((name) => `${name}=${encodeURIComponent(trick)}`)
        .join('&')
      const signedOut = await ask(scene.app.port, `/oauth/sign-out?${query}`, {
        method: 'POST',
        headers: { origin: scene.app.base, 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'navigate' },
      })
      expect([signedOut.status, signedOut.headers.location]).toEqual([303, '/'])
      for (const path of [trick, `/oauth/authorize/${encodeURIComponent(trick)}`, `/signed-in?${query}`]) {
        const { headers } = await ask(scene.app.port, path.startsWith('/') ? path : `/${path}`)
        expect([path, headers.location]).toEqual([path, undefined])
      }
    }
  })

  it('do not follow the Host header or what a proxy might say', async () => {
    const { url } = await authorizationRequest(scene.server, scene.client)
    const answer = await ask(scene.app.port, `${url.pathname}${url.search}`, {
      headers: {
        Host: 'evil.example',
        'X-Forwarded-Host': 'evil.example',
        'X-Forwarded-Proto': 'https',
        Forwarded: 'host=evil.example',
      },
    })
    expect(answer.status).toBe(303)
    expect(answer.headers.location).toMatch(/^\/oauth\/interaction\/[\w-]+$/)
    const metadata = await ask(scene.app.port, '/.well-known/oauth-authorization-server', {
      headers: { Host: 'evil.example', 'X-Forwarded-Host': 'evil.example' },
    })
    expect(metadata.text).not.toContain('evil.example')
  })
})

describe('a request that waits for its person', () => {
  it('is unknown to every other browser, and once another person has signed in', async () => {
    const other = await otherPerson(scene, 'finds-an-interaction')
    const client = await registerTestClient(scene.server)
    const { url } = await authorizationRequest(scene.server, client)
    const consent = await scene.browser.follow(await scene.browser.get(url))
    expect(consent.status).toBe(200)
    const resume = new URL(consent.url.pathname.replace('interaction', 'authorize'), scene.app.base)
    for (const address of [consent.url, resume]) {
      const foreign = await other.browser.get(address)
      expect([400, 404]).toContain(foreign.status)
      expect(foreign.text).not.toContain(scene.email)
    }
    const switched = await scene.browser.submit(consent, '/other-account')
    await scene.browser.submit(switched, '/sign-in', {
      email: other.email,
      password: 'a rather long test password',
    })
    // The agreement of the first person, sent late, is not that of the second.
    const late = await scene.browser.submit(consent, '/consent')
    expect(late.location?.href ?? '').not.toContain('code=')
  })
})
