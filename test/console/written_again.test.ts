// What is asked again after a write: documents and lists of its kind where they are shown, and nothing else.
import { QueryObserver } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import { openQueries, readWrittenAgain, type Written } from '../../console-web/src/data/queries.ts'

const SHOWN = [
  '/api/json/api-keys?page[limit]=50',
  '/api/json/memberships?filter[team_id]=t',
  '/api/json/teams/t?include=users',
  '/api/json/webhook-deliveries?filter[message_id]=m',
  '/api/json/webhook-endpoints?page[limit]=250',
  '/api/json/webhook-endpoints/e',
  '/console/receiver',
  '/console/receiver/a',
]

/** Written each time, and asked last, so that whatever else is asked was asked before. */
const LAST = '/api/json/items/i'

/** The paths that are asked for once more after this write. */
const askedAfter = async (path: string, method: 'POST' | 'PATCH' | 'DELETE') => {
  const queries = openQueries()
  const asked: string[] = []
  const ends = [...SHOWN, LAST].map((path) => {
    const queryFn = () => asked.push(path)
    return new QueryObserver(queries, { queryKey: ['document', path], queryFn }).subscribe(() => undefined)
  })
  await expect.poll(() => queries.isFetching()).toBe(0)
  asked.length = 0
  const written: Written = new Map([[path, method]])
  readWrittenAgain(queries, written.set(LAST, 'PATCH'))
  await expect.poll(() => asked).toContain(LAST)
  for (const end of ends) end()
  return asked.filter((one) => one !== LAST)
}

it.each([
  ['/api/json/api-keys', 'POST', SHOWN.slice(0, 1)],
  ['/api/json/memberships/m', 'PATCH', SHOWN.slice(1, 3)],
  ['/api/json/webhook-endpoints/e/rotate-secret', 'POST', SHOWN.slice(4, 6)],
  ['/api/json/webhook-endpoints/e', 'DELETE', SHOWN.slice(4, 5)],
  ['/console/receiver/a', 'DELETE', SHOWN.slice(6, 7)],
  ['/gql', 'POST', []],
] as const)('what is shown is read again after a write of its kind: %s, %s', async (path, method, again) => {
  expect(await askedAfter(path, method)).toEqual(again)
})
