// Guessing: passwords are tried only so often, and no answer tells whether there is an account (RFC 9700, NIST SP
// 800-63B section 5.2.2).
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPasswordHashes } from '../../server/domain/accounts/password.ts'
import { knownDevices, signIn } from '../../server/domain/accounts/sign_in.ts'
import { disableAccount } from '../../server/domain/accounts/user.ts'
import { addressRanges } from '../../server/kernel/addresses.ts'
import { ceilings } from '../../server/kernel/ceilings.ts'
import { AMPLE } from '../support/app.ts'
import { formsOf, openBrowserJar } from '../support/browser_jar.ts'
import type { Answer } from '../support/http.ts'
import { TEST_PASSWORD } from '../support/oauth.ts'
import { cookiesOf, openScene, openSignIn, otherPerson, postForm, postPage, type Scene } from './scene.ts'

/** So few that tries run out at once, and so many that the tests that are not about them get through. */
const TRIES = 6

let scene: Scene
let at: Awaited<ReturnType<typeof openSignIn>>
beforeAll(async () => {
  scene = await openScene({
    trustedProxies: addressRanges('127.0.0.1'),
    limits: {
      ...AMPLE,
      LIMIT_SIGN_IN_ACCOUNT_PER_MINUTE: TRIES,
      LIMIT_SIGN_IN_ADDRESS_PER_MINUTE: TRIES,
      LIMIT_SIGN_UP_PER_MINUTE: TRIES,
    },
  })
  at = await openSignIn(scene, openBrowserJar())
})
afterAll(() => scene.app.close())

let addresses = 0
const newAddress = (): string => {
  addresses += 1
  return `198.51.${addresses >> 8}.${addresses & 255}`
}

let emails = 0
const newEmail = (): string => {
  emails += 1
  return `sprayed-${emails}@example.com`
}

interface Try {
  readonly password?: string
  readonly from?: string
  readonly on?: typeof at
}

const trySignIn = (
  email: string,
  { password = 'a wrong password, as it happens', from = newAddress(), on = at }: Try = {},
): Promise<Answer> =>
  postPage(scene.app, on, { fields: { email, password }, headers: { 'X-Forwarded-For': from } })

/** On a page of its own, because a request belongs to whoever has signed in for it. */
const signInRightly = async (email: string, how: Try = {}): Promise<Answer> =>
  trySignIn(email, { password: TEST_PASSWORD, on: await openSignIn(scene, openBrowserJar()), ...how })

/** As long as it is not refused, but never much more often than is allowed. Returns the number of tries that counted. */
async function untilRefused(tryOnce: () => Promise<Answer>): Promise<number> {
  for (let tried = 0; tried < TRIES * 3; tried += 1) {
    const { status } = await tryOnce()
    if (status === 429) return tried
    expect(status).toBe(401)
  }
  return Number.POSITIVE_INFINITY
}

describe('a password', () => {
  it('is tried less often from each address once many try, whether or not there is such an account', async () => {
    const victim = await otherPerson(scene, 'is-guessed')
    const counts: number[] = []
    for (const email of [victim.email, 'nobody-has-this@example.com']) {
      for (let tried = 0; tried < TRIES; tried += 1) await trySignIn(email)
      const from = newAddress()
      // It is opened before, because a try comes back every ten seconds.
      const on = await openSignIn(scene, openBrowserJar())
      counts.push(await untilRefused(() => trySignIn(email, { from })))
      // Neither another spelling of the address nor the right password is a way round.
      const right = await trySignIn(email.toUpperCase(), { password: TEST_PASSWORD, from, on })
      expect([email, right.status]).toEqual([email, 429])
      expect(right.headers['set-cookie'] ?? '').not.toMatch(/pharos_(session|devices)=/)
    }
    for (const count of counts) expect(count).toBeLessThan(TRIES)
    // Everybody else signs in as before.
    const other = await otherPerson(scene, 'is-not-guessed')
    expect((await signInRightly(other.email)).status).toBe(303)
  })

  it('is tried only so often from one address, for however many accounts', async () => {
    const from = newAddress()
    const other = await otherPerson(scene, 'is-elsewhere')
    const on = await openSignIn(scene, openBrowserJar())
    const count = await untilRefused(() => trySignIn(newEmail(), { from }))
    expect(count).toBeLessThanOrEqual(TRIES + 4)
    expect((await trySignIn(other.email, { password: TEST_PASSWORD, from, on })).status).toBe(429)
    expect((await signInRightly(other.email)).status).toBe(303)
  })

  it('is not tried more often behind a made-up X-Forwarded-For', async () => {
    const from = newAddress()
    const count = await untilRefused(() =>
      trySignIn(newEmail(), { from: `${newAddress()}, ${newAddress()}, ${from}` }),
    )
    expect(count).toBeLessThanOrEqual(TRIES + 4)
  })

  it('that nobody types is not tried at one-time links either', async () => {
    const from = newAddress()
    const browser = openBrowserJar()
    const page = await browser.get(`${scene.app.base}/oauth/password-reset`)
    const [{ fields } = { fields: {} }] = formsOf(page)
    const statuses: number[] = []
    for (let tried = 0; tried < TRIES + 6; tried += 1) {
      const token = `${tried}`.padStart(43, 'A')
      const body = String(new URLSearchParams({ ...fields, token }))
      const { status } = await postForm(scene.app.port, '/oauth/password-reset', body, {
        Origin: scene.app.base,
        Cookie: cookiesOf(browser, '/oauth/password-reset'),
        'X-Forwarded-For': from,
      })
      statuses.push(status)
    }
    expect(new Set(statuses)).toEqual(new Set([404, 429]))
  })
})

const nothing = async () => undefined

describe('a sign-in that waits for its turn', () => {
  const real = createPasswordHashes(ceilings())
  it.each([
    [
      'the password was changed',
      `UPDATE passwords SET changed_at = changed_at + interval '1 second' WHERE user_id = $1`,
    ],
    ['the password was taken away', 'DELETE FROM passwords WHERE user_id = $1'],
    ['the account was disabled', 'UPDATE users SET disabled_at = pharos_now() WHERE id = $1'],
  ])('is refused when %s meanwhile, although it was right when it began', async (what, meanwhile) => {
    const person = await otherPerson(scene, what.replaceAll(' ', '-'))
    const signingIn = (change: () => Promise<unknown>) =>
      signIn(
        {
          em: scene.app.store.em(),
          attempts: { signIn: nothing, signUp: nothing, wrongLink: nothing, changePassword: nothing },
          devices: knownDevices(Buffer.alloc(32)),
          log: pino({ enabled: false }),
          passwords: {
            ...real,
            verify: async (...given) => {
              const verified = await real.verify(...given)
              await change()
              return verified
            },
          },
        },
        { email: person.email, password: TEST_PASSWORD, address: 'here' },
      )
    expect(await signingIn(nothing)).toMatchObject({ userId: person.account.userId })
    await expect(signingIn(() => scene.app.query(meanwhile, [person.account.userId]))).rejects.toMatchObject({
      code: 'unauthorized',
    })
  })
})

describe('an answer', () => {
  const KINDS = ['unknown', 'wrong', 'without', 'disabled'] as const

  it('is the same for every reason, and takes as long', async () => {
    const wrong = await otherPerson(scene, 'has-a-password')
    const without = await scene.app.account('has-no-password')
    const disabled = await otherPerson(scene, 'is-disabled')
    await disableAccount(scene.app.store.em(), disabled.account.userId)
    const emails: Readonly<Record<(typeof KINDS)[number], string>> = {
      unknown: 'is-unknown@example.com',
      wrong: wrong.email,
      without: 'has-no-password@example.com',
      disabled: disabled.email,
    }
    expect(without.userId).not.toBe('')
    const seen = new Map<string, { shapes: Set<string>; times: number[] }>()
    const rounds = 5
    for (let round = 0; round < rounds; round += 1)
      for (const kind of KINDS) {
        const began = performance.now()
        // The disabled one is tried with its password.
        const answer = await trySignIn(emails[kind], kind === 'disabled' ? { password: TEST_PASSWORD } : {})
        const took = performance.now() - began
        const { shapes, times } = seen.get(kind) ?? { shapes: new Set<string>(), times: [] }
        const { date: _, 'x-request-id': __, ...headers } = answer.headers
        shapes.add(JSON.stringify([answer.status, headers, answer.text.replaceAll(emails[kind], 'EMAIL')]))
        times.push(took)
        seen.set(kind, { shapes, times })
      }
    const shapes = new Set(
      [...seen.values()]
        .flatMap((one) => [...one.shapes])
        .map((one) => one.replace(/"content-length":"\d+"/, '')),
    )
    expect(shapes.size).toBe(1)
    expect([...shapes][0]).toContain('[401,')
    const medians = [...seen.values()].map(
      ({ times }) => times.sort((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0,
    )
    // A lookup alone takes a tenth of a hash. Other work on the machine may slow one kind down, by chance.
    expect(Math.min(...medians)).toBeGreaterThan(Math.max(...medians) / 4)
  })

  it('to a sign-up where it is closed tells nothing', async () => {
    const browser = openBrowserJar()
    const { page } = await openSignIn(scene, browser)
    expect(page.text).not.toContain('/sign-up')
    expect((await browser.get(`${page.url}/sign-up`)).status).toBe(404)
    const [{ fields } = { fields: {} }] = formsOf(page)
    const answers = await Promise.all(
      [scene.email, 'free@example.com'].map((email) =>
        browser.post(`${page.url}/sign-up`, {
          ...fields,
          email,
          new_password: TEST_PASSWORD,
          first_name: '',
          last_name: '',
        }),
      ),
    )
    const [one, other] = answers.map(({ status, text }) => [status, text.replaceAll(/value="[^"]*"/g, '')])
    expect(one).toEqual(other)
    expect([403, 404]).toContain(one?.[0])
    expect(await scene.app.query(`SELECT 1 FROM users WHERE email = 'free@example.com'`)).toEqual([])
  })
})
