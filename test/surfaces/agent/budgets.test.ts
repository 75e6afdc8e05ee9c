// Agents spend the budgets of JSON:API: who is charged, when, and how a model is told to wait. Answers have a ceiling.
import { expect, it } from 'vitest'
import type { TestAccount } from '../../support/app.ts'
import { type Answer, ask } from '../../support/http.ts'
import { testApp } from '../../support/test_app.ts'
import { agentToken, failureIn } from './agent_client.ts'

const CALLER = 12
const RESPONSE_BYTES = 24_000

const app = testApp({
  limits: {
    LIMIT_ADDRESS_PER_MINUTE: 1_000_000,
    LIMIT_CALLER_PER_MINUTE: CALLER,
    LIMIT_PROOF_VERIFY_PER_MINUTE: 1,
  },
  ceilings: { response_bytes: RESPONSE_BYTES },
})
let others = 0

/** Each test has an account with whole budgets. */
const person = async (): Promise<{ account: TestAccount; token: string }> => {
  others += 1
  const account = await app.account(`agent${others}`)
  return { account, token: await agentToken(app, account) }
}
const post = (key: string, method: string, params: object = {}): Promise<Answer> =>
  ask(app.port, '/mcp', {
    key,
    headers: { 'Content-Type': 'application/json', Accept: '*/*' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
const call = (key: string, name: string, args: object = {}): Promise<Answer> =>
  post(key, 'tools/call', { name, arguments: args })
const resultIn = ({ text }: Answer) => Object(JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text)).result

/** A budget fills up again while a slow machine spends it, so it is spent until it is. */
async function until(isSpent: (answer: Answer) => boolean, send: () => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = []
  do answers.push(await send())
  while (!answers.slice(-1).some(isSpent) && answers.length < 10 * CALLER)
  return answers
}

it('one budget counts requests to the API and to the tools; beyond it a tool says how long to wait', async () => {
  const { account, token } = await person()
  expect((await ask(app.port, '/api/json/users/me', { key: account.key })).status).toBe(200)
  expect((await post(token, 'tools/list')).headers.ratelimit).toBe(`"caller";r=${CALLER - 2}`)
  const calls = await until(
    (answer) => resultIn(answer).isError,
    () => call(token, 'server_time'),
  )
  expect(calls.length).toBeGreaterThan(CALLER - 2)
  const spent = calls.at(-1) ?? (await call(token, 'server_time'))
  expect(spent.status).toBe(200)
  const meta = { retry_after_ms: expect.any(Number), limit: CALLER }
  expect(failureIn(resultIn(spent))).toMatchObject({ errors: [{ code: 'rate_limited', meta }] })
  const listed = await post(token, 'tools/list')
  expect([listed.status, Number(listed.headers['retry-after']) > 0]).toEqual([429, true])
  expect(listed.json()).toMatchObject({ id: null, error: { data: { errors: [{ code: 'rate_limited' }] } } })
  const large = await call(token, 'hash', { text: 'x'.repeat(20_000) })
  expect(large.status).toBe(429)
})

it('verifying proofs has a budget of its own', async () => {
  const { token } = await person()
  const codes = async () => {
    const { errors } = Object(failureIn(resultIn(await call(token, 'verify_proof', { proof: 'junk' }))))
    return errors.map(({ code }: { code: string }) => code)
  }
  expect([await codes(), await codes()]).toEqual([['invalid_proof'], ['rate_limited']])
})

it('a list ends where the answer is full, and goes on from there', async () => {
  const { account, token } = await person()
  const items = Array.from({ length: 20 }, (_, index) => ({
    claims: { name: `"${index}"`, hash: 'ab'.repeat(32), hash_type: 'sha256' },
  }))
  const body = { json: { data: { items } } }
  const batch = await ask(app.port, '/api/json/items/batch', { key: account.key, body })
  const made = Object(batch.json()).result.items.map(({ id }: { id: string }) => id)
  const walked: string[] = []
  let pages = 0
  for (let after: unknown = null; pages === 0 || after !== null; pages += 1) {
    const page = await call(token, 'list_items', { limit: 20, sort: 'id', after })
    expect(Buffer.byteLength(page.text)).toBeLessThan(RESPONSE_BYTES)
    const { data, next } = resultIn(page).structuredContent
    walked.push(...data.map(({ id }: { id: string }) => id))
    after = next
  }
  expect(walked).toEqual(made.toSorted())
  expect(pages).toBeGreaterThan(1)
})
