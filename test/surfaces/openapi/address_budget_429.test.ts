// The document, its pages and their files cost the address as much as any other request does.
import { afterEach, expect, it } from 'vitest'
import { openTestApp, type TestApp } from '../../support/app.ts'
import { amidMinute } from '../../support/clock_minute.ts'
import { ask } from '../../support/http.ts'
import { errorsOf, refusals } from '../jsonapi/documents.ts'

let app: TestApp
afterEach(() => app.close())

const PATHS = [
  '/api/json/open_api',
  '/api/json/swaggerui',
  '/api/json/swaggerui/',
  '/api/json/redoc/reference.js',
  '/api/json/users/me',
]

it('a spent address budget is a 429 at the document and its pages too', async () => {
  app = await openTestApp({ limits: { LIMIT_CALLER_PER_MINUTE: 1_000_000, LIMIT_ADDRESS_PER_MINUTE: 2 } })
  await amidMinute()
  const answers = []
  for (const path of PATHS) answers.push(await ask(app.port, path))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 429, 429, 429])
  const [, , refused] = answers
  if (refused === undefined) throw new Error('no answer')
  expect(refusals(refused)).toEqual(['429 rate_limited'])
  expect(errorsOf(refused)[0]?.meta).toMatchObject({ limit: 2 })
  expect(refused.headers).toMatchObject({
    'retry-after': expect.stringMatching(/^\d+$/),
    'access-control-allow-origin': '*',
  })
})
