// Every table says what makes it grow and how long it keeps what: one that does not fails here.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { pruneApiKeys } from '../../server/domain/accounts/api_key.ts'
import { choresOf } from '../../server/jobs/keep_house.ts'
import { newUuid7 } from '../../server/kernel/identifiers.ts'
import { rows } from '../support/rows.ts'
import { testLedger } from '../support/test_ledger.ts'

const README = join(import.meta.dirname, '../../server/store/README.md')

const ledger = testLedger()

const listed = readFileSync(README, 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, table = '', grows = '', kept = '', by = '']) => ({
    table: table.replaceAll('`', ''),
    grows,
    kept,
    by,
  }))
const choresListed = new Set(
  listed.flatMap(({ by }) => (by === '' ? [] : by.replaceAll('`', '').split(', '))),
)

describe('the list of tables in server/store/README.md', () => {
  it('has every table of the database, once, with its growth and its retention, and no other', async () => {
    const there = await rows<{ name: string }>(
      ledger.store.em(),
      `SELECT table_name AS name FROM information_schema.tables
        WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`,
    )
    expect(listed.map(({ table }) => table).toSorted()).toEqual(there.map(({ name }) => name).toSorted())
    for (const { table, grows, kept } of listed) expect([grows, kept], table).not.toContain('')
  })

  it('names the chores that run, and all of them', () => {
    const run = choresOf(() => undefined)
    expect([...choresListed].toSorted()).toEqual(run.map(({ name }) => name).toSorted())
  })

  it('names no chore that does not work', async () => {
    for (const { name, piece } of choresOf(() => undefined))
      expect(await piece(ledger.store.em(), 1_000), name).toBeGreaterThanOrEqual(0)
  })
})

describe('the list of indexes in server/store/README.md', () => {
  it('has every index of the database that is no key, once, with what it is for, and no other', async () => {
    const lines = readFileSync(README, 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('- `') && /^- (`\w+`, )*`\w+`: \S/.test(line))
    const named = lines.flatMap((line) =>
      [
        ...line
          .split(': ', 1)
          .join()
          .matchAll(/`(\w+)`/g),
      ].map(([, name]) => name),
    )
    const there = await rows<{ name: string }>(
      ledger.store.em(),
      `SELECT c.relname AS name FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
        WHERE c.relnamespace = 'public'::regnamespace
          AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = i.indexrelid AND k.contype IN ('p', 'u'))`,
    )
    expect(named.toSorted()).toEqual(there.map(({ name }) => name).toSorted())
  })
})

describe('API keys', () => {
  it('are forgotten 90 days after they were revoked or have expired, so many at a time, and no others', async () => {
    const em = () => ledger.store.em()
    const insert = async (name: string, revoked: string | null, expires: string | null) => {
      await rows(
        em(),
        `INSERT INTO api_keys (id, user_id, name, prefix, secret_hash, revoked_at, expires_at)
         VALUES ($1, $2, $3, 'phk_', sha256(convert_to($3, 'UTF8')), pharos_now() + $4::interval, pharos_now() + $5::interval)`,
        [newUuid7(), ledger.userId, name, revoked, expires],
      )
    }
    await insert('in use', null, null)
    await insert('in use for a while', null, '1 day')
    await insert('revoked lately', '-89 days', null)
    await insert('revoked long ago', '-91 days', null)
    await insert('expired long ago', null, '-91 days')
    await insert('revoked long ago, would still run', '-91 days', '1 day')
    await insert('expired long ago, revoked since', '-1 day', '-91 days')
    expect([await pruneApiKeys(em(), 3), await pruneApiKeys(em(), 3), await pruneApiKeys(em(), 3)]).toEqual([
      3, 1, 0,
    ])
    const left = await rows<{ name: string }>(em(), 'SELECT name FROM api_keys ORDER BY name COLLATE "C"')
    expect(left.map(({ name }) => name)).toEqual(['in use', 'in use for a while', 'revoked lately'])
  })
})
