// The pages that people sign in on, attacked from other sites and by what is typed: forged and foreign forms, planted
// cookies, frames, caches, and forms that no browser would send.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inviteMember } from '../../server/domain/accounts/invite_member.ts'
import { makePasswordReset } from '../../server/domain/accounts/new_password.ts'
import { disableAccount } from '../../server/domain/accounts/user.ts'
import { newUuid7 } from '../../server/kernel/identifiers.ts'
import { openTestApp, type TestApp } from '../support/app.ts'
import { type BrowserJar, formsOf, openBrowserJar, type Page } from '../support/browser_jar.ts'
import { ask } from '../support/http.ts'
import { authorizationRequest, givePassword, signInAndConsent, TEST_PASSWORD } from '../support/oauth.ts'
import {
  allow,
  authorize,
  cookiesOf,
  form,
  openScene,
  openSignIn,
  otherPerson,
  postForm,
  postPage,
  type Scene,
} from './scene.ts'

let scene: Scene
let app: TestApp
beforeAll(async () => {
  scene = await openScene({ signUpIsOpen: true })
  app = scene.app
})
afterAll(() => app.close())

const NEW_PASSWORD = 'staple lantern harbour'
const em = () => app.store.em()

/** The page that a one-time link leads to. */
async function openLink(path: string, token: string, browser: BrowserJar = openBrowserJar()) {
  const page = await browser.submit(await browser.get(`${app.base}${path}`), path, { token })
  expect(page.status).toBe(200)
  return { browser, page }
}

const resetOf = async (userId: string) =>
  openLink('/oauth/password-reset', await makePasswordReset(em(), userId))

const invitation = async () => {
  const teamId = await app.team(app.owner)
  const asked = { teamId, email: `${teamId}@example.com`, role: 'member' } as const
  const { token } = await inviteMember(em(), app.owner.userId, asked)
  return openLink('/oauth/invitation', token)
}

/** Every form that changes something, on a page of a browser that may send it. */
const FORMS: Readonly<
  Record<
    string,
    () => Promise<{ browser: BrowserJar; page: Page; step: string; fields?: Record<string, string> }>
  >
> = {
  'sign-in': async () => ({
    ...(await openSignIn(scene, openBrowserJar())),
    fields: { email: scene.email, password: TEST_PASSWORD },
  }),
  'sign-up': async () => {
    const { browser, page } = await openSignIn(scene, openBrowserJar())
    return {
      browser,
      page: await browser.get(`${page.url}/sign-up`),
      step: '/sign-up',
      fields: { email: 'forged@example.com', new_password: NEW_PASSWORD, first_name: '', last_name: '' },
    }
  },
  consent: async () => {
    const { browser, page } = await openSignIn(scene, openBrowserJar())
    const signedIn = await browser.submit(page, '/sign-in', { email: scene.email, password: TEST_PASSWORD })
    return { browser, page: await browser.follow(signedIn), step: '/consent' }
  },
  cancel: async () => ({ ...(await openSignIn(scene, openBrowserJar())), step: '/cancel' }),
  'a new password': async () => ({
    ...(await resetOf((await app.account(`resets-${newUuid7()}`)).userId)),
    step: '/choose',
    fields: { new_password: NEW_PASSWORD },
  }),
  'an invitation': async () => ({
    ...(await invitation()),
    step: '/sign-up',
    fields: { new_password: NEW_PASSWORD, first_name: '', last_name: '' },
  }),
}

/** What a form could have changed. */
const state = () =>
  app.query(`SELECT (SELECT count(*) FROM users) AS users, (SELECT count(*) FROM memberships) AS memberships,
                    (SELECT count(*) FROM oauth_sessions) AS sessions, (SELECT count(*) FROM oauth_grants) AS grants,
                    (SELECT max(hash) FROM passwords) AS password`)

describe('a form of another site', () => {
  it.each(Object.entries(FORMS))('does not do %s', async (_name, open) => {
    const { fields = {}, ...at } = await open()
    const before = await state()
    const foreign: readonly Readonly<Record<string, string>>[] = [
      { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site' },
      { 'Sec-Fetch-Site': 'none' },
      { Origin: 'https://evil.example' },
      { Origin: 'null', 'Sec-Fetch-Site': 'cross-site' },
      { Origin: `${app.base}.evil.example` },
      { Origin: `${app.base}@evil.example` },
      { Origin: app.base.replace(/:\d+$/, '') },
      { Origin: app.base.replace('http:', 'https:') },
    ]
    for (const headers of foreign) {
      const answer = await postPage(app, at, { fields, headers })
      expect([headers, answer.status, answer.headers.location]).toEqual([headers, 403, undefined])
    }
    const { action, fields: hidden } = formsOf(at.page).find((one) =>
      one.action.pathname.endsWith(at.step),
    ) ?? {
      action: new URL(app.base),
      fields: {},
    }
    const body = form({ ...hidden, ...fields })
    const bare = { Cookie: cookiesOf(at.browser, action.pathname) }
    expect((await postForm(app.port, action.pathname, body, bare)).status).toBe(403)
    expect((await postForm(app.port, action.pathname, body, { ...bare, Origin: 'null' })).status).toBe(403)
    expect(await state()).toEqual(before)
  })

  it.each(Object.entries(FORMS))(
    'with the form token of another browser or page does not do %s',
    async (_name, open) => {
      const [mine, theirs] = [await open(), await open()]
      const ofOtherPage = await (mine.step === '/choose' ? invitation : () => resetOf(app.owner.userId))()
      const elsewhere = await mine.browser.get(ofOtherPage.page.url)
      const before = await state()
      const tokenIn = (page: Page): string => formsOf(page)[0]?.fields.form_token ?? ''
      expect(tokenIn(theirs.page)).toMatch(/^[\w-]{43}$/)
      for (const form_token of [tokenIn(theirs.page), tokenIn(elsewhere), '', 'x', undefined])
        expect([
          form_token,
          (await postPage(app, mine, { fields: { ...mine.fields, form_token } })).status,
        ]).toEqual([form_token, 403])
      // The form of the attacker, who is signed in or knows a password, in the browser of the victim (login CSRF).
      const planted = await postPage(app, { ...theirs, browser: mine.browser }, theirs.fields)
      expect([403, 404]).toContain(planted.status)
      expect(planted.headers['set-cookie'] ?? '').not.toContain('pharos_session')
      expect(await state()).toEqual(before)
      // The same form from where it belongs is good, so nothing above was refused for another reason.
      const { status } = await postPage(app, mine, { ...(mine.fields && { fields: mine.fields }) })
      expect([200, 303]).toContain(status)
    },
  )
})

describe('a session', () => {
  const sessionIn = (browser: BrowserJar) =>
    browser.cookies().find(({ name }) => name.endsWith('pharos_session'))?.value

  /** Whose sign-in the cookie stands for: the page asks for a password, or it does not. */
  const isSignedIn = async (cookie: string): Promise<boolean> => {
    const { url } = await authorizationRequest(
      scene.server,
      { client_id: 'console' },
      {
        redirect_uri: `${app.base}/signed-in`,
        prompt: 'none',
      },
    )
    const { headers } = await ask(app.port, `${url.pathname}${url.search}`, { headers: { Cookie: cookie } })
    return headers.location?.includes('code=') === true
  }

  it('is never the one that was there before the sign-in, and each step forgets the last one', async () => {
    const person = await otherPerson(scene, 'is-given-a-cookie')
    const values = new Set<string>()
    const { browser, page } = await openSignIn(scene, openBrowserJar())
    const all: string[] = [cookiesOf(browser)]
    values.add(sessionIn(browser) ?? 'none')
    const answered = await browser.submit(page, '/sign-in', { email: person.email, password: TEST_PASSWORD })
    all.push(cookiesOf(browser))
    values.add(sessionIn(browser) ?? '')
    const consent = await browser.follow(answered)
    all.push(cookiesOf(browser))
    values.add(sessionIn(browser) ?? '')
    await browser.follow(await browser.submit(consent, '/consent'))
    const last = cookiesOf(browser)
    values.add(sessionIn(browser) ?? '')
    expect(values.size).toBeGreaterThanOrEqual(3)
    expect(await isSignedIn(last)).toBe(true)
    for (const cookie of all)
      if (!cookie.includes(sessionIn(browser) ?? '?')) expect(await isSignedIn(cookie)).toBe(false)
  })

  it('that an attacker planted does not become that of the victim', async () => {
    const attacker = await otherPerson(scene, 'plants-a-session')
    await authorize({ ...scene, ...attacker })
    const planted = cookiesOf(attacker.browser)
    expect(await isSignedIn(planted)).toBe(true)
    const victim = await otherPerson(scene, 'has-a-session-planted')
    // The victim's browser holds the attacker's session, and signs in as itself all the same.
    const { url } = await authorizationRequest(scene.server, scene.client, { prompt: 'login' })
    const page = await attacker.browser.follow(await attacker.browser.get(url))
    await attacker.browser.submit(page, '/sign-in', { email: victim.email, password: TEST_PASSWORD })
    expect(await isSignedIn(planted)).toBe(false)
    const [row] = await app.query<{ n: string }>(
      'SELECT count(*) AS n FROM oauth_sessions WHERE user_id = $1',
      [attacker.account.userId],
    )
    expect(Number(row?.n)).toBe(0)
  })

  it('is good only as it was signed, and made by us', async () => {
    const person = await otherPerson(scene, 'has-a-cookie-changed')
    await authorize({ ...scene, ...person })
    const value = sessionIn(person.browser) ?? ''
    const good = cookiesOf(person.browser)
    expect(await isSignedIn(good)).toBe(true)
    expect(await isSignedIn(`pharos_session=${value}`)).toBe(false)
    expect(await isSignedIn(good.replace(/pharos_session\.sig=[^;]+/, 'pharos_session.sig=AAAA'))).toBe(false)
    expect(await isSignedIn(good.replace(value, `${value}x`))).toBe(false)
    const [session] = await app.query<{ id: string }>('SELECT id FROM oauth_sessions WHERE user_id = $1', [
      person.account.userId,
    ])
    expect(await isSignedIn(good.replace(value, session?.id ?? ''))).toBe(false)
  })

  it('ends with the account', async () => {
    const person = await otherPerson(scene, 'is-disabled-while-signed-in')
    await authorize({ ...scene, ...person })
    const cookie = cookiesOf(person.browser)
    expect(await isSignedIn(cookie)).toBe(true)
    await disableAccount(em(), person.account.userId)
    expect(await isSignedIn(cookie)).toBe(false)
    const { url } = await authorizationRequest(scene.server, scene.client)
    const page = await person.browser.follow(await person.browser.get(url))
    const refused = await person.browser.submit(page, '/sign-in', {
      email: person.email,
      password: TEST_PASSWORD,
    })
    expect(refused.status).toBe(401)
  })

  it('has cookies that no script reads and no other site sends, bound to https where there is https', async () => {
    const secure = await openTestApp({ beside: app, baseUrl: 'https://pharos.example' })
    const setBy = async (at: TestApp) => {
      const lines: string[] = []
      const send = async (path: string, init: RequestInit = {}) => {
        const answer = await fetch(`http://127.0.0.1:${at.port}${path}`, { ...init, redirect: 'manual' })
        lines.push(...answer.headers.getSetCookie())
        return answer
      }
      const { url } = await authorizationRequest(
        { issuer: at.base, authorization_endpoint: `${at.base}/oauth/authorize` },
        scene.client,
      )
      const cookies = () => lines.map((line) => line.split(';')[0]).join('; ')
      const { headers } = await send(`${url.pathname}${url.search}`)
      const path = headers.get('location') ?? ''
      const text = await (await send(path, { headers: { cookie: cookies() } })).text()
      const [form] = formsOf({ text, url: new URL(path, at.base), status: 200, headers, location: undefined })
      const body = new URLSearchParams({ ...form?.fields, email: scene.email, password: TEST_PASSWORD })
      const signedIn = await send(`${path}/sign-in`, {
        method: 'POST',
        body,
        headers: { cookie: cookies(), origin: at.base, 'sec-fetch-site': 'same-origin' },
      })
      expect(signedIn.status).toBe(303)
      return lines
    }
    for (const [at, isSecure] of [
      [app, false],
      [secure, true],
    ] as const) {
      const lines = await setBy(at)
      expect(lines.length).toBeGreaterThan(4)
      for (const line of lines) {
        const [pair = '', ...attributes] = line.toLowerCase().split('; ')
        expect([pair, attributes]).toEqual([pair, expect.arrayContaining(['httponly', 'samesite=lax'])])
        expect([pair, attributes.includes('secure')]).toEqual([pair, isSecure])
        expect(attributes.some((one) => one.startsWith('domain'))).toBe(false)
        const isHost = pair.startsWith('__host-')
        if (isHost) expect(attributes).toContain('path=/')
        expect(pair.startsWith('__')).toBe(isSecure)
      }
      const session = `${isSecure ? '__Host-' : ''}pharos_session=`
      expect(lines.some((line) => line.startsWith(session))).toBe(true)
    }
    await secure.close()
  })
})

describe('a page', () => {
  it('cannot be framed, cached or scripted, and loads nothing from elsewhere', async () => {
    const browser = openBrowserJar()
    const { page: signIn } = await openSignIn(scene, browser)
    const { page: consent } = (await FORMS.consent?.()) ?? { page: signIn }
    const pages: Page[] = [
      signIn,
      consent,
      (await resetOf(app.owner.userId)).page,
      (await invitation()).page,
      await browser.get(`${signIn.url}/sign-up`),
      await browser.submit(signIn, '/sign-in', { email: '"><script>x</script>', password: '"><img src=x>' }),
      await browser.get(`${app.base}/oauth/authorize?client_id=<script>&redirect_uri="><script>`),
      await browser.get(`${app.base}/oauth/interaction/unknown`),
      await browser.get(`${app.base}/oauth/authorize/unknown`),
      await browser.get(`${app.base}/oauth/invitation`),
      await browser.get(`${app.base}/oauth/sign-out`),
    ]
    for (const { url, headers, text } of pages) {
      const policy = headers.get('content-security-policy') ?? ''
      for (const part of [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
      ])
        expect([url.pathname, policy]).toEqual([url.pathname, expect.stringContaining(part)])
      expect(policy).not.toMatch(/unsafe|\*|data:|blob:/)
      expect(policy).toMatch(/form-action 'self'( https:\/\/client\.example)?(;|$)/)
      expect([url.pathname, headers.get('cache-control')]).toEqual([url.pathname, 'no-store'])
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(headers.get('access-control-allow-origin')).toBeNull()
      // The policy would stop all of these, so a page that has one does not work.
      expect(text).not.toMatch(
        /<script(?! src="\/oauth\/link\.js" defer>)|<style|\son\w+=|\sstyle=|javascript:|<img src=x|<iframe|<base/i,
      )
      for (const [, address = ''] of text.matchAll(/(?:src|href|action)="([^"]*)"/g))
        expect(address).toMatch(/^\/(oauth\/[\w./-]+)?$/)
    }
    for (const [path, type] of [
      ['/oauth/pages.css', 'text/css; charset=utf-8'],
      ['/oauth/link.js', 'text/javascript; charset=utf-8'],
    ] as const) {
      const file = await browser.get(`${app.base}${path}`)
      expect([file.status, file.headers.get('content-type')]).toEqual([200, type])
      expect(file.headers.get('x-content-type-options')).toBe('nosniff')
    }
  })

  it('tells a request with a token nothing, and is not readable across origins', async () => {
    const tokens = await allow(scene)
    for (const path of ['/oauth/authorize', '/oauth/interaction/x', '/oauth/invitation', '/oauth/sign-out']) {
      const preflight = await ask(app.port, path, {
        method: 'OPTIONS',
        headers: { Origin: 'https://evil.example', 'Access-Control-Request-Method': 'POST' },
      })
      expect([path, preflight.headers['access-control-allow-origin']]).toEqual([path, undefined])
    }
    const { headers } = await ask(app.port, '/oauth/token', {
      method: 'OPTIONS',
      key: tokens.access_token,
      headers: { Origin: 'https://app.example', 'Access-Control-Request-Method': 'POST' },
    })
    expect(headers['access-control-allow-origin']).toBe('*')
    expect(headers['access-control-allow-credentials']).toBeUndefined()
  })
})

describe('what is typed', () => {
  it('may be anything, and is refused without a fault', async () => {
    const at = await openSignIn(scene, openBrowserJar())
    const [{ fields: hidden } = { fields: {} }] = formsOf(at.page)
    const token = form(hidden)
    const password = encodeURIComponent(TEST_PASSWORD)
    const email = encodeURIComponent(scene.email)
    const tries: readonly (readonly [what: string, body: string, status: number])[] = [
      ['a NUL in the address', `${token}&email=ada%00@example.com&password=${password}`, 401],
      ['a NUL in the password', `${token}&email=${email}&password=${password}%00`, 401],
      ['what is no UTF-8', `${token}&email=${email}&password=%ff%fe%c0%80`, 401],
      ['bytes that are no UTF-8', `${token}&email=${email}&password=\xff\xfe`, 401],
      ['a broken escape', `${token}&email=%zz%&password=%`, 401],
      ['a prototype', `${token}&__proto__=x&constructor=y&email=__proto__&password=toString`, 401],
      ['no address', `${token}&password=${password}`, 401],
      ['nothing', token, 401],
      ['a long address', `${token}&email=${'a'.repeat(5_000)}@example.com&password=${password}`, 401],
      ['a long password', `${token}&email=${email}&password=${'a'.repeat(10_000)}`, 401],
      ['a longer form than any', `${token}&email=${email}&password=${'a'.repeat(17_000)}`, 413],
      ['a field twice', `${token}&email=${email}&email=other@example.com&password=${password}`, 400],
      [
        'more fields than any form has',
        `${token}&${Array.from({ length: 30 }, (_, at) => `f${at}=1`).join('&')}`,
        400,
      ],
    ]
    for (const [what, body, status] of tries) {
      const answer = await postPage(app, at, { body })
      expect([what, answer.status]).toEqual([what, status])
      expect(answer.headers['set-cookie'] ?? '').not.toContain('pharos_session=')
      if (status === 413) expect(answer.headers.connection).toBe('close')
    }
    for (const type of ['multipart/form-data; boundary=x', 'application/json', 'text/plain'])
      expect((await postPage(app, at, { body: token, headers: { 'Content-Type': type } })).status).toBe(415)
    expect(app.logged.filter(({ level }) => level === 'error')).toEqual([])
  })

  it('of a new account is judged, and makes nothing when it is refused', async () => {
    const { browser, page } = await openSignIn(scene, openBrowserJar())
    const at = { browser, step: '/sign-up', page: await browser.get(`${page.url}/sign-up`) }
    const good = { email: 'new@example.com', first_name: 'A', last_name: 'B', new_password: NEW_PASSWORD }
    const [before] = await app.query<{ n: string }>('SELECT count(*) AS n FROM users')
    for (const fields of [
      { first_name: 'a\0b' },
      { last_name: 'x'.repeat(5_000) },
      { email: 'new@example.com\0' },
      { email: 'new' },
      { email: `${'x'.repeat(300)}@example.com` },
      { email: 'new@example.com\r\nBcc: other@example.com' },
      { email: scene.email.toUpperCase() },
      { new_password: 'short' },
      { new_password: 'x'.repeat(600) },
      { new_password: 'NEW@example.com' },
      { new_password: 'passwordpassword' },
      { new_password: `${'ﷺ'.repeat(200)}` },
    ])
      expect([fields, (await postPage(app, at, { fields: { ...good, ...fields } })).status]).toEqual([
        fields,
        400,
      ])
    const [after] = await app.query<{ n: string }>('SELECT count(*) AS n FROM users')
    expect(after).toEqual(before)
    expect((await postPage(app, at, { fields: good })).status).toBe(303)
  })
})

describe('two people in one browser', () => {
  it('who sign in to one request one after the other get an answer, not a fault, and the code is the last one’s', async () => {
    const [one, other] = [
      await otherPerson(scene, 'signs-in-first'),
      await otherPerson(scene, 'signs-in-second'),
    ]
    const browser = openBrowserJar()
    const { page } = await openSignIn(scene, browser)
    // Signed in, but the browser did not go on yet.
    const waiting = await browser.submit(page, '/sign-in', { email: one.email, password: TEST_PASSWORD })
    const { url } = await authorizationRequest(scene.server, scene.client, { prompt: 'login' })
    await signInAndConsent(browser, url, { email: other.email })
    const late = await browser.follow(waiting)
    expect(late.status).toBeLessThan(500)
    expect(late.location?.href ?? '').not.toContain('code=')
    expect(late.text).not.toContain(one.email)
    expect(app.logged.filter(({ level }) => level === 'error')).toEqual([])
  })
})

it('a one-time link that is used twice at once works once', async () => {
  const account = await app.account('resets-twice-at-once')
  await givePassword(app, account)
  const token = await makePasswordReset(em(), account.userId)
  const [one, other] = [
    await openLink('/oauth/password-reset', token),
    await openLink('/oauth/password-reset', token),
  ]
  const answers = await Promise.all([
    one.browser.submit(one.page, '/choose', { new_password: NEW_PASSWORD }),
    other.browser.submit(other.page, '/choose', { new_password: `${NEW_PASSWORD} of a thief` }),
  ])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 404])
})
