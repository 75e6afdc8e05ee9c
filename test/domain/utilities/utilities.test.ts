// The table that surfaces are derived from is complete, and what its examples promise is what the verbs answer.
import { describe, expect, it } from 'vitest'
import { readAttributes } from '../../../server/contract/attribute.ts'
import { hashUtility } from '../../../server/domain/utilities/hash.ts'
import { databaseTime, serverTime, serverTimeUtility } from '../../../server/domain/utilities/server_time.ts'
import { UTILITIES } from '../../../server/domain/utilities/utilities.ts'
import { CEILINGS } from '../../../server/kernel/ceilings.ts'
import { collectProblems } from '../../../server/kernel/problems.ts'
import { testLedger } from '../../support/test_ledger.ts'
import { violations } from '../../surfaces/openapi/json_schema.ts'

const ledger = testLedger()

const reading = () => ({ em: ledger.store.em(), caller: { userId: ledger.userId } })

it('names those that clients know as they know them, with what they accept', () => {
  const told = UTILITIES.map(({ http, graphql, tool, accepts }) => {
    const arguments_ = Object.entries(accepts).map(
      ([name, { kind, required }]) => `${name}${required ? '!' : ''}: ${kind.name}`,
    )
    return [http, graphql, tool.name, ...arguments_].join(', ')
  })
  expect(told).toEqual(
    expect.arrayContaining([
      'POST /utilities/hash, hash, hash, text!: free_text, hash_type: free_text, domain: free_text',
      'POST /utilities/verify-hash, verifyHash, verify_hash, text!: free_text, hash!: free_text, hash_type: free_text',
      'POST /utilities/uuidv7-timestamp, uuidv7Timestamp, uuidv7_timestamp, uuid!: free_text',
      'POST /utilities/ulid-timestamp, ulidTimestamp, ulid_timestamp, ulid!: free_text',
      'POST /utilities/resolve-id, resolveId, resolve_id, id!: free_text',
      'POST /utilities/jcs-canonicalize, jcsCanonicalize, jcs_canonicalize, json!: json_object',
      'POST /utilities/server-time, serverTime, server_time, time_zone: free_text',
    ]),
  )
})

describe.each(UTILITIES)('$name', (utility) => {
  const members = Object.keys(utility.result.properties ?? {})
  const { data, result } = utility.example

  it('has all that a route, a query, a tool and the documents need', () => {
    expect(utility.http).toBe(`POST /utilities/${utility.tool.name.replaceAll('_', '-')}`)
    expect(utility.access).toBe('read')
    for (const { doc } of [utility, ...Object.values(utility.accepts)]) expect(doc).toMatch(/\.$/)
    for (const { kind } of Object.values(utility.accepts)) expect(kind.schema.type).toBeDefined()
    expect(members).not.toContain('ok')
  })

  it('is described well enough for a tool: its example satisfies the schemas of its row', () => {
    const accepted = Object.entries(utility.accepts)
    const input = {
      type: 'object',
      properties: Object.fromEntries(accepted.map(([name, { kind }]) => [name, kind.schema])),
      required: accepted.flatMap(([name, { required }]) => (required ? [name] : [])),
      additionalProperties: false,
    }
    const checker = { closed: true, resolve: () => ({}) }
    expect(violations(checker, input, data)).toEqual([])
    expect(violations(checker, input, {})).toHaveLength(input.required.length)
    expect(violations(checker, utility.result, result)).toEqual([])
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
  const ahead = (await databaseTime(skewed.em())) - (await databaseTime(ledger.store.em()))
  expect(Math.abs(ahead - 2 * 86_400_000)).toBeLessThan(60_000)
  const shown = await serverTimeUtility.run(reading(), {}, '')
  expect(shown).toMatchObject({ time_zone: 'Etc/UTC', requested_time_zone: 'UTC', utc_offset: '+00:00' })
})
