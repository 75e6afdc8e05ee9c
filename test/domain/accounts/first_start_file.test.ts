// The file with the first key goes once it has served, and not before.
import { mkdtemp, readFile, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  firstStartFile,
  introduce,
  makeFirstAccount,
  tidyFirstStartFile,
} from '../../../server/start/first_account.ts'
import { openTestDoor, type TestDoor } from './account_door.ts'

let door: TestDoor
let dataDir: string
beforeAll(async () => {
  door = await openTestDoor()
  dataDir = await mkdtemp(join(tmpdir(), 'pharos-test-'))
})
afterAll(async () => {
  await door.ledger.close()
  await rm(dataDir, { recursive: true })
})

const logged: unknown[] = []
const note = (...line: unknown[]) => void logged.push(line)
const log = { info: note, warn: note, error: note, debug: note, fatal: note }
const tidy = () => tidyFirstStartFile({ em: () => door.ledger.store.em(), dataDir, log })
const path = () => firstStartFile(dataDir)

/** As a first start writes it. Returns the text. */
async function begin(): Promise<string> {
  await door.query('DELETE FROM api_keys')
  await makeFirstAccount(door.ledger.store.em(), (first) =>
    introduce(first, { base: 'http://localhost:4000', dataDir, isTerminal: false, say: () => undefined }),
  )
  return readFile(path(), 'utf8')
}

it('holds a link with which the owner chooses a password, and says when it goes', async () => {
  const text = await begin()
  expect(text).toContain('deletes this file within a minute after the API key is used')
  const token = /password-reset#token=([\w-]+)/.exec(text)?.[1] ?? ''
  await door.choosePassword({ token, newPassword: 'correct horse battery', address: 'test' })
  const given = { email: 'owner@localhost.local', password: 'correct horse battery', address: 'test' }
  await expect(door.signIn(given)).resolves.toMatchObject({ userId: expect.any(String) })
})

it('stays while the key is unused and young', async () => {
  await begin()
  expect(await tidy()).toBe(true)
  await expect(readFile(path())).resolves.toBeDefined()
})

it.each([
  ['the key was used', 'UPDATE api_keys SET last_used_at = pharos_now()'],
  ['the key was used', 'UPDATE api_keys SET revoked_at = pharos_now()'],
  ['a day has passed', `UPDATE api_keys SET inserted_at = pharos_now() - interval '25 hours'`],
])('goes when %s (%s), and the log says so', async (reason, change) => {
  await begin()
  await door.query(change)
  expect(await tidy()).toBe(false)
  await expect(readFile(path())).rejects.toThrow('ENOENT')
  expect(logged.at(-1)).toEqual([{ path: path(), reason }, 'first_start_file.deleted'])
  expect(await tidy()).toBe(false)
})

it('of a key that this database does not know goes after a day', async () => {
  await begin()
  await door.query('DELETE FROM api_keys')
  expect(await tidy()).toBe(true)
  const long = new Date(Date.now() - 90_000_000)
  await utimes(path(), long, long)
  expect(await tidy()).toBe(false)
})
