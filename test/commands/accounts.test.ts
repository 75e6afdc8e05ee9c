// Operator commands for accounts and their keys, on a running service.
import { rm } from 'node:fs/promises'
import { describe, expect, it, vi } from 'vitest'
import { LEDGER_COMMANDS, operatorOrder } from '../../server/commands/commands.ts'
import { addressRanges } from '../../server/kernel/addresses.ts'
import type { Values } from '../../shared/cli/command.ts'
import { accessToken } from '../support/access_token.ts'
import { ask } from '../support/http.ts'
import { TEST_MASTER_KEY } from '../support/master_key.ts'
import { runCommand } from '../support/server_process.ts'
import { makeTemporaryFolder } from '../support/temporary_folder.ts'
import { testApp } from '../support/test_app.ts'

const app = testApp({ webhooks: { allow: addressRanges('127.0.0.0/8') } })
const logged: unknown[] = []

/** What the command prints. */
async function pharos(name: string, values: Values = {}): Promise<string> {
  const printed: string[] = []
  const spy = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed.push(String(text))
    return true
  })
  const note = (...line: unknown[]) => void logged.push(line)
  const log = { info: note, warn: note, error: note, debug: note, fatal: note }
  try {
    const { store, base, masterKey } = app
    const code = await LEDGER_COMMANDS[name]?.run({ store, base, masterKey, log }, values, [])
    expect(code).toBe(0)
  } finally {
    spy.mockRestore()
  }
  return printed.join('')
}

const statusOf = async (key: string) => (await ask(app.port, '/api/json/users/me', { key })).status

describe('user disable', () => {
  it('ends all that the account is signed in with, for good, and its keys until it is enabled', async () => {
    const { userId, key } = await app.account('misused')
    const { token } = await accessToken(app, { userId, scopes: ['api:read'] })
    const email = 'Misused@example.com'
    await pharos('user reset-password', { email })
    const hook = { url: 'https://127.0.0.1:1/', resource_type: 'item', events: ['item.created'] }
    const made = await ask(app.port, '/api/json/webhook-endpoints', {
      key,
      body: { json: { data: { type: 'webhook_endpoint', attributes: hook } } },
    })
    expect(made.status, made.text).toBe(201)
    expect([await statusOf(key), await statusOf(token)]).toEqual([200, 200])
    expect(await pharos('user disable', { email })).toBe(
      'Account misused@example.com is disabled; webhook endpoints switched off: 1.\n',
    )
    await expect.poll(async () => [await statusOf(key), await statusOf(token)]).toEqual([401, 401])
    for (const table of ['oauth_grants', 'oauth_access_tokens', 'oauth_sessions', 'password_resets'])
      expect(await app.query(`SELECT 1 FROM ${table} WHERE user_id = $1`, [userId])).toEqual([])
    expect(await app.query('SELECT enabled FROM webhook_endpoints WHERE user_id = $1', [userId])).toEqual([
      { enabled: false },
    ])
    const listed = await pharos('user list')
    expect(listed).toContain('misused@example.com  enterprise  disabled')
    // The account of rounds is nobody's.
    expect(listed).not.toMatch(/null|00000000-0000/)
    await pharos('user enable', { email })
    await expect.poll(async () => [await statusOf(key), await statusOf(token)]).toEqual([200, 401])
    expect(logged).toContainEqual([{ user_id: userId, webhook_endpoints: 1 }, 'account.disabled'])
  })

  it('of an unknown address says so', async () => {
    await expect(pharos('user disable', { email: 'nobody@example.com' })).rejects.toThrow(
      'there is no account nobody@example.com',
    )
  })
})

describe('user reset-password', () => {
  it('prints one link, of which only the hash is stored, and withdraws it', async () => {
    await app.account('forgetful')
    const email = 'forgetful@example.com'
    const [link] = /http\S+$/m.exec(await pharos('user reset-password', { email })) ?? []
    expect(link).toMatch(new RegExp(`^${app.base}/oauth/password-reset#token=[\\w-]{43}$`))
    const kept = await app.query('SELECT * FROM password_resets')
    expect(kept).toHaveLength(1)
    expect(JSON.stringify([kept, logged])).not.toContain(link?.split('token=')[1])
    expect(await pharos('user reset-password', { email, withdraw: true })).toContain('works no more')
    expect(await app.query('SELECT 1 FROM password_resets')).toEqual([])
  })
})

describe('key revoke', () => {
  it('names a key by what lists show of it, and never needs the whole', async () => {
    const { key } = await app.account('leaky')
    const beginning = key.slice(0, 12)
    expect(await pharos('key list', { email: 'leaky@example.com' })).toContain(
      `${beginning}…  test  never used`,
    )
    await expect(pharos('key revoke', { prefix: beginning.slice(0, 8) })).rejects.toThrow(
      'first 12 characters',
    )
    expect(await pharos('key revoke', { prefix: key })).toBe(`The API key ${beginning}… (test) is revoked.\n`)
    await expect.poll(() => statusOf(key)).toBe(401)
  })

  it('of two keys that begin alike, revokes neither', async () => {
    const { userId, key } = await app.account('twins')
    await app.apiKey({ userId })
    await app.query('UPDATE api_keys SET prefix = $1 WHERE user_id = $2', [key.slice(0, 12), userId])
    await expect(pharos('key revoke', { prefix: key.slice(0, 12) })).rejects.toThrow('name one by its --id')
    expect(await statusOf(key)).toBe(200)
  })
})

describe('words that no command reads', () => {
  it.each([
    ['an option that there is not', 'user list', ['--limit', '3'], "Unknown option '--limit'"],
    ['an option without its value', 'user list', ['--after'], 'argument missing'],
    ['a word too many', 'user disable', ['ada@example.com'], 'ada@example.com is not expected here'],
    ['a third word of a flag', 'flag set', ['webhooks.prune', 'on', 'off'], 'off is not expected here'],
  ])('are refused in one line: %s', (_, name, words, told) => {
    expect(() => operatorOrder([...name.split(' '), ...words])).toThrow(
      expect.objectContaining({
        exitCode: 2,
        message: expect.stringMatching(new RegExp(`^[^\\n]*${told}[^\\n]*$`)),
        advice: expect.stringContaining(`${name} --help`),
      }),
    )
  })

  it('are those that are left: the others arrive', () => {
    const order = operatorOrder(['flag', 'set', 'webhooks.prune', 'on'])
    expect(order).toMatchObject({ name: 'flag set', words: ['webhooks.prune', 'on'], values: {} })
  })
})

describe('what is printed', () => {
  it('steers no terminal, whatever people called themselves', async () => {
    const { userId } = await app.account('artful')
    await app.query(`UPDATE api_keys SET name = E'a\\x1b[31mred\\u202Ekey\\nforged' WHERE user_id = $1`, [
      userId,
    ])
    expect(await pharos('key list', { email: 'artful@example.com' })).toContain(
      'a\ufffd[31mred\ufffdkey\ufffdforged',
    )
  })
})

describe('what is wrongly asked of the ledger', { timeout: 120_000 }, () => {
  it.each([
    [['key', 'create'], 'key create'],
    [['user', 'create', '--email', 'ada@example.com', '--plan', 'x'], 'user create'],
    [['client', 'create', '--id', 'x', '--name', 'x', '--redirect', 'http://localhost'], 'client create'],
    [['export'], 'export'],
  ])('leads to what to type next: %s', async (words, name) => {
    const folder = await makeTemporaryFolder('pharos-wrongly-asked-')
    try {
      const { code, said } = await runCommand(words, {
        DATABASE_URL: app.database.url,
        MASTER_KEY: TEST_MASTER_KEY.toString('hex'),
        DATA_DIR: folder,
      })
      expect([code, said]).toEqual([2, expect.stringContaining(`\nnpm run pharos -- ${name} --help\n`)])
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
})
