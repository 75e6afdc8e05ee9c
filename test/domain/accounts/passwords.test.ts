// Passwords: what they may be, how they are kept, and what an answer tells about accounts.
import { hash } from '@node-rs/argon2'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPasswordHashes, readNewPassword } from '../../../server/domain/accounts/password.ts'
import { knownDevices, signIn } from '../../../server/domain/accounts/sign_in.ts'
import { countAttempts } from '../../../server/domain/limits/charge.ts'
import { createLimits } from '../../../server/domain/limits/limits.ts'
import { ceilings } from '../../../server/kernel/ceilings.ts'
import { newUuid7 } from '../../../server/kernel/identifiers.ts'
import type { Refusal } from '../../../server/kernel/refusal.ts'
import { accessToken } from '../../support/access_token.ts'
import { openTestDoor, type TestDoor } from './account_door.ts'

const PASSWORD = 'correct horse battery'
const from = (name: string) => `192.0.2.${name}`

let door: TestDoor
beforeAll(async () => {
  door = await openTestDoor()
})
afterAll(() => door.ledger.close())

const hashOf = async (userId: string) =>
  (await door.query<{ hash: string }>('SELECT hash FROM passwords WHERE user_id = $1', [userId]))[0]?.hash

describe('a password', () => {
  const read = (given: string) => readNewPassword(given, 'new_password', 'ada.lovelace@example.com')

  it.each([
    ['eleven characters', 'elevenchars'],
    ['257 characters', 'pass '.repeat(52).slice(0, 257)],
    ['far more than any', 'pass '.repeat(2_000)],
    ['one that others would guess', 'Ada.Lovelace@example.com'],
  ])('may not be %s', async (_, given) => {
    await expect(read(given)).rejects.toThrow('invalid_argument')
  })

  it('counts characters, not units, and may hold any', async () => {
    expect([...(await read('🗼🔑🌊🧭⚓🌙🪨🌫🛶🐚🦀🐙'))]).toHaveLength(12)
    await expect(read('🗼🔑🌊🧭⚓🌙🪨🌫🛶🐚🦀')).rejects.toThrow('invalid_argument')
    expect(await read('  spaces at ends  ')).toBe('  spaces at ends  ')
  })

  it('is the same in every spelling of its characters', async () => {
    expect(await read('café ﬁne naïve')).toBe(await read('café fine naïve'))
  })
})

describe('the stored form', () => {
  it('is an argon2id hash with a salt of its own', async () => {
    const [one, other] = await Promise.all([
      door.account('salt-1@example.com', PASSWORD),
      door.account('salt-2@example.com', PASSWORD),
    ])
    const hashes = [await hashOf(one), await hashOf(other)]
    for (const kept of hashes) expect(kept).toMatch(/^\$argon2id\$v=19\$m=47104,t=2,p=1\$/)
    expect(hashes[0]).not.toBe(hashes[1])
  })

  it('is renewed when its person signs in after the strength has changed', async () => {
    const userId = await door.account('weak@example.com')
    const weak = await hash(PASSWORD, { memoryCost: 1_024, timeCost: 1 })
    await door.query('INSERT INTO passwords (user_id, hash) VALUES ($1, $2)', [userId, weak])
    const given = { email: 'weak@example.com', address: from('1') }
    await expect(door.signIn({ ...given, password: 'not the password' })).rejects.toThrow('unauthorized')
    expect(await hashOf(userId)).toBe(weak)
    expect(await door.signIn({ ...given, password: PASSWORD })).toMatchObject({ userId })
    const renewed = await hashOf(userId)
    expect(renewed).toMatch(/m=47104,t=2/)
    expect(await door.signIn({ ...given, password: PASSWORD })).toMatchObject({ userId })
    expect(await hashOf(userId)).toBe(renewed)
  })
})

describe('hashing', () => {
  it('is done a few at a time: more wait, and beyond the ceiling they are refused', async () => {
    const few = createPasswordHashes({ ...ceilings(), password_hashes: 1, password_hashes_waiting: 3 })
    const outcomes = await Promise.allSettled(
      Array.from({ length: 6 }, (_, n) => few.verify(undefined, PASSWORD, { address: from(String(n)) })),
    )
    expect(outcomes.map(({ status }) => status)).toEqual([
      ...Array.from({ length: 4 }, () => 'fulfilled'),
      'rejected',
      'rejected',
    ])
    expect(outcomes[5]).toMatchObject({ reason: { code: 'overloaded' } })
  })
})

describe('a hash for somebody who is known', () => {
  it('is not refused however many strangers wait, and is done after a turn of theirs', async () => {
    const few = createPasswordHashes({ ...ceilings(), password_hashes: 1, password_hashes_waiting: 8 })
    const done: string[] = []
    const strangers = Array.from({ length: 40 }, (_, n) =>
      few.verify(undefined, PASSWORD, { address: from(String(n)) }).then(() => done.push('a stranger')),
    )
    const known = few.verify(undefined, PASSWORD, { known: 'somebody' }).then(() => done.push('somebody'))
    const outcomes = await Promise.allSettled([known, ...strangers])
    expect(outcomes[0]?.status).toBe('fulfilled')
    expect(outcomes.filter(({ status }) => status === 'rejected').length).toBeGreaterThan(20)
    expect(done.indexOf('somebody')).toBeLessThanOrEqual(2)
  })

  it('of one network does not keep another from waiting', async () => {
    const few = createPasswordHashes({ ...ceilings(), password_hashes: 1, password_hashes_waiting: 8 })
    const flood = Array.from({ length: 40 }, (_, n) =>
      few.verify(undefined, PASSWORD, { address: `2001:db8:7:${n.toString(16)}::/64` }),
    )
    const other = few.verify(undefined, PASSWORD, { address: '2001:db8:8:0::/64' })
    const [own] = await Promise.allSettled([other, ...flood])
    expect(own.status).toBe('fulfilled')
  })
})

describe('signing in', () => {
  it('takes the address in any case and the password in any spelling', async () => {
    const userId = await door.account('Accents@example.com', 'naïve café ﬁne')
    expect(
      await door.signIn({
        email: 'ACCENTS@EXAMPLE.com',
        password: 'nai\u0308ve cafe\u0301 fine',
        address: from('2'),
      }),
    ).toMatchObject({ userId })
  })

  it('tells nobody why not: an unknown account, none with a password, a wrong one, a disabled one', async () => {
    const disabled = await door.account('gone@example.com', PASSWORD)
    await door.query('UPDATE users SET disabled_at = pharos_now() WHERE id = $1', [disabled])
    await door.account('bare@example.com')
    await door.account('right@example.com', PASSWORD)
    const tries = [
      { email: 'nobody@example.com', password: PASSWORD },
      { email: 'no address\0', password: PASSWORD },
      { email: 'bare@example.com', password: PASSWORD },
      { email: 'right@example.com', password: 'another password' },
      { email: 'right@example.com', password: 'x'.repeat(5_000) },
      { email: 'right@example.com', password: '' },
      { email: 'gone@example.com', password: PASSWORD },
    ]
    const answers: unknown[] = []
    door.tried.length = 0
    for (const given of tries) {
      const before = door.tried.length
      answers.push(
        await door
          .signIn({ ...given, address: from('3') })
          .catch((error: Error & { problems: unknown }) => error.problems),
      )
      expect(door.tried.slice(before)).toEqual(['signIn'])
    }
    for (const answer of answers)
      expect(answer).toEqual([
        { code: 'unauthorized', detail: 'the e-mail address or the password is wrong' },
      ])
  })

  it('logs who signed in and who did not, without what was typed', async () => {
    const userId = await door.account('logged@example.com', PASSWORD)
    door.logged.length = 0
    await door.signIn({ email: 'logged@example.com', password: PASSWORD, address: from('4') })
    for (const email of ['logged@example.com', 'stranger@example.com'])
      await door.signIn({ email, password: 'typed by mistake', address: from('4') }).catch(() => undefined)
    expect(door.logged).toMatchObject([
      { msg: 'account.signed_in', user_id: userId, address: from('4') },
      { msg: 'account.sign_in_refused', user_id: userId, reason: 'wrong_password' },
      { msg: 'account.sign_in_refused', reason: 'unknown_account' },
    ])
    expect(JSON.stringify(door.logged)).not.toMatch(/stranger|typed|horse/)
  })
})

describe('tries', () => {
  const wrong = (count: number) => Array(count).fill('unauthorized')

  it('are counted by address, and by account for each network, whether or not there is such an account', async () => {
    const limits = createLimits({
      em: () => door.ledger.store.em('watch'),
      limits: { LIMIT_SIGN_IN_ACCOUNT_PER_MINUTE: 2, LIMIT_SIGN_IN_ADDRESS_PER_MINUTE: 5 },
      log: pino({ level: 'silent' }),
    })
    try {
      const attempts = countAttempts(limits)
      const em = door.ledger.store.em()
      const passwords = createPasswordHashes(ceilings())
      const devices = knownDevices(Buffer.alloc(32))
      await door.account('tried@example.com', PASSWORD)
      const tryAs = (email: string, address: string) =>
        signIn(
          { em, passwords, attempts, devices, log: pino({ level: 'silent' }) },
          { email, password: 'not it', address },
        ).catch((error: Refusal) => error.code)
      for (const email of ['tried@example.com', 'untried@example.com']) {
        const outcomes = []
        for (const address of ['a', 'b', 'c', 'c', 'c', 'c', 'd'])
          outcomes.push(await tryAs(email, `${email} ${address}`))
        expect(outcomes).toEqual([...wrong(5), 'rate_limited', ...wrong(1)])
      }
      const outcomes = []
      for (const name of ['1', '2', '3', '4', '5', '6'])
        outcomes.push(await tryAs(`${name}@example.com`, from('9')))
      expect(outcomes).toEqual([...wrong(5), 'rate_limited'])
    } finally {
      await limits.close()
    }
  })
})

describe('a change of the password', () => {
  it('asks for the current one, counts as a try, and ends every other session, grant and open link of the account', async () => {
    const userId = await door.account('changer@example.com', PASSWORD)
    const someone = await door.account('someone@example.com', PASSWORD)
    const own = await accessToken(door, { userId, scopes: ['account'] })
    for (const id of ['its own', 'another'])
      await door.query(
        `INSERT INTO oauth_sessions (id, user_id, payload, expires_at) VALUES ($1, $2, '{}', pharos_now() + interval '1 day')`,
        [id, userId],
      )
    await door.query(`UPDATE oauth_access_tokens SET session_id = 'its own' WHERE id = $1`, [own.id])
    await accessToken(door, { userId, scopes: ['api:read'] })
    const theirs = await accessToken(door, { userId: someone, scopes: ['api:read'] })
    await door.query(
      `INSERT INTO password_resets VALUES ($1, sha256('x'), pharos_now() + interval '1 day')`,
      [userId],
    )
    const change = { userId, tokenId: own.id, newPassword: 'a new pass phrase' }
    door.tried.length = 0
    await expect(door.changePassword({ ...change, currentPassword: 'a wrong one' })).rejects.toMatchObject({
      problems: [{ code: 'invalid_argument', path: ['current_password'] }],
    })
    expect(door.tried).toEqual(['changePassword'])
    await expect(
      door.changePassword({ ...change, currentPassword: PASSWORD, newPassword: 'short' }),
    ).rejects.toMatchObject({ problems: [{ path: ['new_password'] }] })
    await door.changePassword({ ...change, currentPassword: PASSWORD })
    expect(await door.query('SELECT id FROM oauth_grants ORDER BY id')).toEqual(
      [{ id: own.grantId }, { id: theirs.grantId }].sort((a, b) => (a.id < b.id ? -1 : 1)),
    )
    expect(await door.query('SELECT id FROM oauth_sessions')).toEqual([{ id: 'its own' }])
    expect(await door.query('SELECT 1 FROM password_resets WHERE user_id = $1', [userId])).toEqual([])
    const given = { email: 'changer@example.com', address: from('5') }
    await expect(door.signIn({ ...given, password: PASSWORD })).rejects.toThrow('unauthorized')
    expect(await door.signIn({ ...given, password: change.newPassword })).toMatchObject({ userId })
  })

  it('is refused to an account without a password, whatever is given', async () => {
    const userId = await door.account('keys-only@example.com')
    await expect(
      door.changePassword({ userId, tokenId: undefined, currentPassword: '', newPassword: PASSWORD }),
    ).rejects.toMatchObject({ problems: [{ path: ['current_password'] }] })
    expect(await hashOf(userId)).toBeUndefined()
  })

  it('of two at the same time, one counts', async () => {
    const userId = await door.account('twice@example.com', PASSWORD)
    const change = (newPassword: string) =>
      door.changePassword({ userId, tokenId: undefined, currentPassword: PASSWORD, newPassword })
    const outcomes = await Promise.allSettled([change('the first new one'), change('the second new one')])
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })
})

describe('signing up', () => {
  const fresh = () => `${newUuid7()}@example.com`

  it('is for nobody where it is closed, and is not even counted there', async () => {
    door.tried.length = 0
    await expect(
      door.signUp({ email: fresh(), newPassword: PASSWORD, address: from('6') }),
    ).rejects.toMatchObject({ code: 'forbidden' })
    expect(door.tried).toEqual([])
  })

  it('makes a developer account that signs in', async () => {
    const email = fresh()
    const { userId } = await door.open.signUp({
      email,
      firstName: ' Ada ',
      newPassword: PASSWORD,
      address: from('6'),
    })
    expect(await door.query('SELECT plan, first_name FROM users WHERE id = $1', [userId])).toEqual([
      { plan: 'developer', first_name: 'Ada' },
    ])
    expect(await door.signIn({ email, password: PASSWORD, address: from('6') })).toMatchObject({ userId })
  })

  it('of a taken address leaves the account as it is', async () => {
    const email = fresh()
    const userId = await door.account(email, PASSWORD)
    await expect(
      door.open.signUp({ email, newPassword: 'the password of a stranger', address: from('6') }),
    ).rejects.toMatchObject({ problems: [{ path: ['email'] }] })
    expect(await door.signIn({ email, password: PASSWORD, address: from('6') })).toMatchObject({ userId })
  })
})
