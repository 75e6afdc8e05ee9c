// Authorization requests that wait: a flood of them from an office ends none that a colleague has under way.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { addressRanges } from '../../server/kernel/addresses.ts'
import { openBrowserJar } from '../support/browser_jar.ts'
import { TEST_PASSWORD } from '../support/oauth.ts'
import { askToken, authorize, codeExchange, openScene, openSignIn, type Scene } from './scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene({ trustedProxies: addressRanges('127.0.0.1') })
})
afterAll(() => scene.app.close())

const OFFICE = '198.51.100.7'

const browserAt = (address: string) =>
  openBrowserJar({
    fetch: (url, init) => fetch(url, { ...init, headers: { ...init.headers, 'X-Forwarded-For': address } }),
  })

it('a flood of requests ends no sign-in under way at its address, nor keeps out who is signed in', async () => {
  const colleague = browserAt(OFFICE)
  await authorize({ ...scene, browser: colleague })
  const { request, browser, page } = await openSignIn(scene, browserAt(OFFICE))
  await scene.app.query(
    `INSERT INTO oauth_tickets (kind, id_hash, payload, address, expires_at)
     SELECT 'interaction', sha256(convert_to(n::text, 'UTF8')), '{}', $1, pharos_now() + interval '29 minutes'
       FROM generate_series(1, 250) AS n`,
    [OFFICE],
  )
  const { page: refused } = await openSignIn(scene, browserAt(OFFICE))
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(28 * 60)
  expect(refused.text).toMatch(/Too many people of your network .* Please wait (29|30) minutes, then go back/)
  expect((await openSignIn(scene, browserAt('198.51.100.8'))).page.status).toBe(200)

  const signedIn = await browser.submit(page, '/sign-in', { email: scene.email, password: TEST_PASSWORD })
  const consent = await browser.follow(signedIn)
  const { location } = await browser.follow(await browser.submit(consent, '/consent'))
  const code = location?.searchParams.get('code') ?? ''
  expect((await askToken(scene.app, codeExchange(scene, { request, code }))).status).toBe(200)

  const asked = await authorize({ ...scene, browser: colleague }, { prompt: 'consent' })
  expect(asked.code).not.toBe('')
})
