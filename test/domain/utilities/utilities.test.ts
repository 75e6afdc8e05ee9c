// The table that surfaces are derived from is complete, and what its examples promise is what the verbs answer.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readAttributes } from '../../../server/contract/read_attributes.ts'
import { databaseTime } from '../../../server/domain/utilities/database_time.ts'
import { hashUtility } from '../../../server/domain/utilities/hash.ts'
import { serverTime, serverTimeUtility } from '../../../server/domain/utilities/server_time.ts'
import { UTILITIES } from '../../../server/domain/utilities/utilities.ts'
import { CEILINGS } from '../../../server/kernel/ceilings.ts'
import { collectProblems } from '../../../server/kernel/problems.ts'
import { openTestLedger, type TestLedger } from '../../support/ledger.ts'

let ledger: TestLedger
beforeAll(async () => {
  ledger = await openTestLedger()
})
afterAll(() => ledger.close())

const reading = () => ({ em: ledger.store.em(), caller: { userId: ledger.userId } })

it('names the seven as clients know them', () => {
  expect(UTILITIES.map(({ http, name, graphql, tool }) => [http, name, graphql, tool])).toEqual([
    ['POST /utilities/hash', 'hash', 'hash', 'hash'],
    ['POST /utilities/verify-hash', 'verifyHash', 'verifyHash', 'verify_hash'],
    ['POST /utilities/uuidv7-timestamp', 'uuidv7Timestamp', 'uuidv7Timestamp', 'uuidv7_timestamp'],
    ['POST /utilities/ulid-timestamp', 'ulidTimestamp', 'ulidTimestamp', 'ulid_timestamp'],
    ['POST /utilities/resolve-id', 'resolveId', 'resolveId', 'resolve_id'],
    ['POST /utilities/jcs-canonicalize', 'jcsCanonicalize', 'jcsCanonicalize', 'jcs_canonicalize'],
    ['POST /utilities/server-time', 'serverTime', 'serverTime', 'server_time'],
  ])
  expect(
    UTILITIES.map(({ accepts }) =>
      Object.entries(accepts).map(
        ([name, { kind, required }]) => `${name}${required ? '!' : ''}: ${kind.name}`,
      ),
    ),
  ).toEqual([
    ['text!: free_text', 'hash_type: free_text', 'domain: free_text'],
    ['text!: free_text', 'hash!: free_text', 'hash_type: free_text'],
    ['uuid!: free_text'],
    ['ulid!: free_text'],
    ['id!: free_text'],
    ['json!: json_object'],
    ['time_zone: free_text'],
  ])
})

describe.each(UTILITIES)('$name', (utility) => {
  const members = Object.keys(utility.result.properties ?? {})
  const { data, result } = utility.example

  it('has all that a route, a query, a tool and the documents need', () => {
    expect(utility.http).toBe(`POST /utilities/${utility.tool.replaceAll('_', '-')}`)
    expect(utility.access).toBe('read')
    for (const { doc } of [utility, ...Object.values(utility.accepts)]) expect(doc).toMatch(/\.$/)
    for (const { kind } of Object.values(utility.accepts)) expect(kind.schema.type).toBeDefined()
    expect(members).not.toContain('ok')
  })

  it('has an example that it answers itself', async () => {
    const problems = collectProblems(CEILINGS.problems.byDefault)
    const given = readAttributes({ ...data }, utility.accepts, problems)
    expect(problems.all()).toEqual([])
    expect(Object.keys(result).every((name) => members.includes(name))).toBe(true)
    const answer = await utility.run(reading(), given, '')
    if (utility.name === 'resolveId') expect(answer).toEqual({ ...result, matches: [] })
    else if (utility.name === 'serverTime')
      expect(
        await serverTime({ now: () => Date.parse('2026-11-20T18:00:00Z') }, { time_zone: 'US/Pacific' }),
      ).toEqual(result)
    else expect(answer).toEqual(result)
  })
})

it('takes an argument that is null for one that is absent', async () => {
  expect(await hashUtility.run(reading(), { text: 'abc', hash_type: null, domain: null }, '')).toMatchObject({
    algorithm: 'sha256',
  })
})

it('shows the database’s time, as far as a test has stepped it', async () => {
  const skewed = await ledger.openSkewed('2 days')
  const ahead = (await databaseTime({ em: skewed.em() })) - (await databaseTime({ em: ledger.store.em() }))
  expect(Math.abs(ahead - 2 * 86_400_000)).toBeLessThan(60_000)
  const shown = await serverTimeUtility.run(reading(), {}, '')
  expect(shown).toMatchObject({ time_zone: 'Etc/UTC', requested_time_zone: 'UTC', utc_offset: '+00:00' })
})
