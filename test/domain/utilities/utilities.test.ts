// The table that surfaces are derived from is complete, and what its examples promise is what the verbs answer.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databaseTime } from '../../../server/domain/utilities/database_time.ts'
import { serverTime } from '../../../server/domain/utilities/server_time.ts'
import { UTILITIES } from '../../../server/domain/utilities/utilities.ts'
import { openTestLedger, type TestLedger } from '../../support/ledger.ts'

let ledger: TestLedger
beforeAll(async () => {
  ledger = await openTestLedger()
})
afterAll(() => ledger.close())

const run = (name: string, given: Record<string, string>) => {
  const utility = UTILITIES.find((one) => one.name === name)
  if (utility === undefined) throw new Error(`no utility ${name}`)
  return utility.run({ em: ledger.store.em() }, { userId: ledger.userId }, given)
}

it('names the seven as clients know them', () => {
  expect(UTILITIES.map(({ name, operation }) => [name, operation])).toEqual([
    ['hash', 'hash'],
    ['verify-hash', 'verifyHash'],
    ['uuidv7-timestamp', 'uuidv7Timestamp'],
    ['ulid-timestamp', 'ulidTimestamp'],
    ['resolve-id', 'resolveId'],
    ['jcs-canonicalize', 'jcsCanonicalize'],
    ['server-time', 'serverTime'],
  ])
  expect(
    UTILITIES.map((one) => one.arguments.map((a) => `${a.graphql}${a.required ? '!' : ''}: ${a.value.kind}`)),
  ).toEqual([
    ['text!: text', 'hashType: text', 'domain: text'],
    ['text!: text', 'hash!: text', 'hashType: text'],
    ['uuid!: text'],
    ['ulid!: text'],
    ['id!: text'],
    ['json!: object'],
    ['timeZone: text'],
  ])
})

describe.each(UTILITIES)('$name', (utility) => {
  const members = Object.keys(utility.result.properties ?? {})
  const { example } = utility

  it('has the route, the tool and the words that documents need', () => {
    expect(utility.http).toBe(`POST /utilities/${utility.name}`)
    expect(utility.tool).toBe(utility.name.replaceAll('-', '_'))
    for (const { doc } of [utility, ...utility.arguments]) expect(doc).toMatch(/\.$/)
    expect(members).not.toContain('ok')
  })

  it('has an example that it answers itself', async () => {
    expect(
      Object.keys(example.arguments).every((name) => utility.arguments.some((a) => a.name === name)),
    ).toBe(true)
    expect(Object.keys(example.result).every((name) => members.includes(name))).toBe(true)
    const answer = await utility.run(
      { em: ledger.store.em() },
      { userId: ledger.userId },
      { ...example.arguments },
    )
    if (utility.name === 'resolve-id') expect(answer).toEqual({ ...example.result, matches: [] })
    else if (utility.name === 'server-time')
      expect(
        await serverTime(
          { now: () => Date.parse('2026-11-20T18:00:00Z') },
          { time_zone: String(example.arguments.time_zone) },
        ),
      ).toEqual(example.result)
    else expect(answer).toEqual(example.result)
  })
})

it('takes an argument that is null for one that is absent', async () => {
  const hash = UTILITIES[0]
  expect(
    await hash?.run(
      { em: ledger.store.em() },
      { userId: ledger.userId },
      {
        text: 'abc',
        hash_type: null,
        domain: null,
      },
    ),
  ).toMatchObject({ algorithm: 'sha256' })
})

it('calls it a fault when a surface lets a wrong argument through', async () => {
  await expect(run('hash', {})).rejects.toThrow('text is required')
  await expect(run('jcs-canonicalize', { json: '{}' })).rejects.toThrow('no object')
})

it('shows the database’s time, as far as a test has stepped it', async () => {
  const skewed = await ledger.openSkewed('2 days')
  const ahead = (await databaseTime({ em: skewed.em() })) - (await databaseTime({ em: ledger.store.em() }))
  expect(Math.abs(ahead - 2 * 86_400_000)).toBeLessThan(60_000)
  const shown = await run('server-time', {})
  expect(shown).toMatchObject({ time_zone: 'Etc/UTC', requested_time_zone: 'UTC', utc_offset: '+00:00' })
})
