// Strangers who guess passwords: they keep nobody out, and each of them is held back.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makePasswordReset } from '../../server/domain/accounts/new_password.ts'
import { addressRanges } from '../../server/kernel/addresses.ts'
import { AMPLE, openTestApp } from '../support/app.ts'
import { type BrowserJar, formsOf, openBrowserJar, type Page } from '../support/browser_jar.ts'
import { ask } from '../support/http.ts'
import { discover, TEST_PASSWORD } from '../support/oauth.ts'
import {
  cookiesOf,
  form,
  openScene,
  openSignIn,
  otherPerson,
  postForm,
  postPage,
  type Scene,
} from './scene.ts'

/** The defaults: 20 tries a minute of an address, and 30 of an account. */
const { LIMIT_SIGN_IN_ADDRESS_PER_MINUTE: _, LIMIT_SIGN_IN_ACCOUNT_PER_MINUTE: __, ...limits } = AMPLE

let scene: Scene
/** The same service, where an address has one try a minute. */
let tight: Scene
beforeAll(async () => {
  const proxies = addressRanges('127.0.0.1')
  scene = await openScene({ trustedProxies: proxies, limits })
  const app = await openTestApp({
    beside: scene.app,
    trustedProxies: proxies,
    limits: { ...limits, LIMIT_SIGN_IN_ADDRESS_PER_MINUTE: 1 },
  })
  tight = { ...scene, app, server: await discover(app.base) }
})
afterAll(async () => {
  await tight.app.close()
  await scene.app.close()
})

let addresses = 0
const newAddress = (): string => {
  addresses += 1
  return `198.51.${addresses >> 8}.${addresses & 255}`
}

interface Device {
  readonly browser: BrowserJar
  /** Goes to another address. */
  readonly moveTo: (address: string) => void
}

function newDevice(): Device {
  let from = newAddress()
  const browser = openBrowserJar({
    fetch: (url, init) => fetch(url, { ...init, headers: { ...init.headers, 'X-Forwarded-For': from } }),
  })
  return {
    browser,
    moveTo: (address) => {
      from = address
    },
  }
}

interface Try {
  readonly email: string
  readonly password?: string
  readonly from?: string
  readonly device?: Device
  readonly at?: Scene
}

async function trySignIn({
  email,
  password = TEST_PASSWORD,
  from = newAddress(),
  device = newDevice(),
  at = scene,
}: Try): Promise<Page> {
  device.moveTo(from)
  const { page, step } = await openSignIn(at, device.browser)
  return device.browser.submit(page, step, { email, password })
}

/** Wrong passwords from these addresses, one after the other, on one page. */
async function guess(
  email: string,
  addressesInTurn: readonly string[],
  browser = openBrowserJar(),
): Promise<number[]> {
  const at = await openSignIn(scene, browser)
  const statuses: number[] = []
  for (const from of addressesInTurn) {
    const fields = { email, password: `a wrong password, number ${statuses.length}` }
    statuses.push((await postPage(scene.app, at, { fields, headers: { 'X-Forwarded-For': from } })).status)
  }
  return statuses
}

const guessFrom = async (email: string, count: number, tries: number): Promise<number[]> => {
  const ofOne = () => guess(email, Array(tries).fill(newAddress()))
  return (await Promise.all(Array.from({ length: count }, ofOne))).flat()
}

/** An address that has no try left for somebody whom nobody knows there. */
async function spentAddress(): Promise<string> {
  const from = newAddress()
  const tried = { email: 'somebody-else@example.com', from, at: tight }
  expect((await trySignIn(tried)).status).toBe(401)
  return from
}

/** Signs in and out again, so that the browser is known. */
async function becomeKnown(email: string, device: Device): Promise<void> {
  expect((await trySignIn({ email, device })).status).toBe(303)
  await device.browser.post(`${scene.app.base}/oauth/sign-out`, {})
}

async function knownPerson(name: string) {
  const person = { ...(await otherPerson(scene, name)), device: newDevice() }
  await becomeKnown(person.email, person.device)
  return person
}

describe('an owner whose password strangers guess', () => {
  it('signs in from a new browser and a new address while four addresses try 19 wrong passwords a minute', async () => {
    const { email } = await otherPerson(scene, 'guessed-by-four')
    await guessFrom(email, 4, 19)
    const statuses: number[] = []
    for (let tried = 0; tried < 8; tried += 1) statuses.push((await trySignIn({ email })).status)
    expect(statuses).toEqual(Array(8).fill(303))
  })

  it('signs in from a new browser and a new address while forty addresses do', async () => {
    const { email } = await otherPerson(scene, 'guessed-by-forty')
    await guessFrom(email, 40, 3)
    const from = newAddress()
    expect((await trySignIn({ email, from, password: 'mistyped, as it happens' })).status).toBe(401)
    expect((await trySignIn({ email, from })).status).toBe(303)
  })

  it('signs in from a browser that is known even behind the address that the guesses come from', async () => {
    const { email, device } = await knownPerson('guessed-by-a-neighbour')
    const from = await spentAddress()
    expect((await trySignIn({ email, from, at: tight })).status).toBe(429)
    expect((await trySignIn({ email, from, device, at: tight })).status).toBe(303)
  })

  it('changes the password meanwhile, too', async () => {
    const person = await otherPerson(scene, 'changes-meanwhile')
    await guessFrom(person.email, 4, 10)
    const answer = await ask(scene.app.port, '/api/json/users/me/password', {
      method: 'POST',
      key: person.account.key,
      headers: { 'Content-Type': 'application/vnd.api+json' },
      body: JSON.stringify({
        data: { current_password: TEST_PASSWORD, new_password: 'staple lantern harbour' },
      }),
    })
    expect([answer.status, answer.text]).toEqual([201, expect.stringContaining('password_changed_at')])
  })

  it('uses a one-time link behind an address whose tries are spent', async () => {
    const { account } = await otherPerson(scene, 'has-a-link')
    const from = await spentAddress()
    const browser = openBrowserJar()
    const [{ fields } = { fields: {} }] = formsOf(await browser.get(`${tight.app.base}/oauth/password-reset`))
    const open = (token: string) =>
      postForm(tight.app.port, '/oauth/password-reset', form({ ...fields, token }), {
        Origin: tight.app.base,
        Cookie: cookiesOf(browser, '/oauth/password-reset'),
        'X-Forwarded-For': from,
      })
    expect((await open('A'.repeat(43))).status).toBe(429)
    const token = await makePasswordReset(scene.app.store.em(), account.userId)
    expect((await open(token)).status).toBe(200)
  })
})

describe('whoever guesses', () => {
  /** Tries that an account and this many networks get back in the meantime, a minute. */
  const allowedSince = (began: number, networks: number): number =>
    Math.ceil(((performance.now() - began) / 60_000) * (30 + 3 * networks)) + networks

  it('has three tries a minute of each address, once the thirty of the account are spent', async () => {
    const { email } = await otherPerson(scene, 'is-guessed-slowly')
    const began = performance.now()
    await guessFrom(email, 10, 4)
    const statuses = await guessFrom(email, 5, 19)
    expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(
      5 * 3 + allowedSince(began, 5),
    )
  })

  it('gains nothing from the many addresses of one IPv6 network', async () => {
    const { email } = await otherPerson(scene, 'is-guessed-over-ipv6')
    const began = performance.now()
    await guessFrom(email, 10, 4)
    const statuses = await guess(
      email,
      Array.from({ length: 40 }, (_, n) => `2001:db8:7:${n.toString(16)}::1`),
    )
    expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(3 + allowedSince(began, 1))
  })

  it('is told when to come back', async () => {
    const from = await spentAddress()
    const refused = await trySignIn({ email: 'nobody-to-be-told@example.com', from, at: tight })
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(30)
    expect(refused.text).toMatch(/Please try again in \d+ seconds\./)
  })
})

describe('a browser that is known', () => {
  it('keeps a cookie that no script reads, that lasts, and that names nobody', async () => {
    const { email, account } = await otherPerson(scene, 'is-remembered')
    const { headers } = await trySignIn({ email })
    const line = headers.getSetCookie().find((one) => one.startsWith('pharos_devices=')) ?? ''
    expect(line).toMatch(/; path=\/; expires=[^;]+; samesite=lax; httponly$/)
    expect(Date.parse(/expires=([^;]+)/.exec(line)?.[1] ?? '')).toBeGreaterThan(Date.now() + 399 * 86_400_000)
    const [value = ''] = line.slice('pharos_devices='.length).split(';')
    const seen = [value, Buffer.from(value, 'base64url').toString('latin1')].join()
    for (const name of [email, account.userId]) expect(seen).not.toContain(name)
  })

  it('locks only itself out by wrong passwords', async () => {
    const { email, device } = await knownPerson('mistypes')
    const second = newDevice()
    await becomeKnown(email, second)
    const statuses = await guess(email, Array.from({ length: 25 }, newAddress), device.browser)
    expect(statuses.slice(0, 10)).toEqual(Array(10).fill(401))
    expect(statuses).toContain(429)
    expect((await trySignIn({ email, device: second })).status).toBe(303)
    expect((await trySignIn({ email })).status).toBe(303)
  })

  it('is known for each of the people who share it, and for nobody else', async () => {
    const from = await spentAddress()
    const [one, other, third] = await Promise.all(
      ['shares-1', 'shares-2', 'shares-not'].map((name) => otherPerson(scene, name)),
    )
    const device = newDevice()
    for (const person of [one, other]) await becomeKnown(person?.email ?? '', device)
    for (const email of [third?.email, 'is-nobody@example.com'])
      expect((await trySignIn({ email: email ?? '', from, device, at: tight })).status).toBe(429)
    for (const person of [one, other]) {
      expect((await trySignIn({ email: person?.email ?? '', from, device, at: tight })).status).toBe(303)
      await device.browser.post(`${scene.app.base}/oauth/sign-out`, {})
    }
  })

  it('is a stranger again after the password was changed, or with a token that was made up', async () => {
    const from = await spentAddress()
    const { email, device, account } = await knownPerson('changes-it')
    const token = device.browser.cookies().find(({ name }) => name === 'pharos_devices')?.value ?? ''
    expect(token).toMatch(/^[\w-]{67}$/)
    const tryWith = async (value: string) => {
      const at = await openSignIn(tight, openBrowserJar())
      const cookies = `${cookiesOf(at.browser, `${at.page.url.pathname}${at.step}`)}; pharos_devices=${value}`
      const headers = { Cookie: cookies, 'X-Forwarded-For': from }
      return postPage(tight.app, at, { fields: { email, password: TEST_PASSWORD }, headers })
    }
    for (const made of [
      'x',
      'A'.repeat(67),
      `${token.slice(0, -1)}${token.endsWith('A') ? 'E' : 'A'}`,
      token.slice(0, 66),
      '.'.repeat(3_000),
      `%00${token}`,
    ])
      expect([made, (await tryWith(made)).status]).toEqual([made, 429])
    expect((await tryWith(token)).status).toBe(303)
    await scene.app.query(
      `UPDATE passwords SET changed_at = changed_at + interval '1 second' WHERE user_id = $1`,
      [account.userId],
    )
    expect((await tryWith(token)).status).toBe(429)
  })
})
