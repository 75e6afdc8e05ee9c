// Sending again in pieces: it goes on by itself, stops where the service says no, and is found again in the same tab.
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Api } from '../../console-web/src/data/api_client.ts'
import { ApiFailure } from '../../console-web/src/data/api_failure.ts'
import { readDraft } from '../../console-web/src/data/kept/draft.ts'
import {
  type Again,
  countPath,
  forgetRun,
  readAgain,
  readCount,
  runOf,
  sendAgain,
} from '../../console-web/src/webhooks/send_again.ts'

let held: Map<string, string>
beforeEach(() => {
  held = new Map()
  vi.stubGlobal('sessionStorage', {
    getItem: (name: string) => held.get(name) ?? null,
    setItem: (name: string, text: string) => held.set(name, text),
    removeItem: (name: string) => held.delete(name),
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
})

const FROM = '2027-01-01T00:00:00.000Z'
const range: Again = {
  from: FROM,
  until: '2027-01-01T01:00:59.999Z',
  events: ['item.created'],
  startedAt: '2027-01-02T00:00:00.000Z',
  made: 0,
  next: FROM,
}

/** Answers these one after the other, and notes what was asked. */
const service = (...answers: readonly (object | Error)[]) => {
  const posted: unknown[] = []
  const never = () => Promise.reject(new Error('not asked here'))
  const post: Api['post'] = async (path, body) => {
    posted.push([path, body])
    const answer = answers[posted.length - 1] ?? new Error('asked too often')
    if (answer instanceof Error) throw answer
    return JSON.parse(JSON.stringify({ result: answer }))
  }
  return { posted, api: { get: never, text: never, patch: never, delete: never, post } }
}

/** As the service says it. */
const REST = '2027-01-01T00:30:00.000Z/2027-01-01T01:00:00.000Z'

it('asks for the rest that the answer before gave, until there is no more, and adds up', async () => {
  const { api, posted } = service({ count: 10_000, next_from: REST }, { count: 5 })
  await sendAgain(api, 'all', range)
  const path = '/api/json/webhook-endpoints/all/replay'
  const { until, events } = range
  expect(posted).toEqual([
    [path, { data: { from: FROM, until, events } }],
    [path, { data: { from: REST, until, events } }],
  ])
  expect(runOf('all').read()).toEqual({
    again: { ...range, made: 10_005, next: null },
    isAsking: false,
    why: null,
  })
})

it('of what was lost has no end and no events', async () => {
  const { api, posted } = service({ count: 1, next_since: '2027-01-01T00:30:00.000Z' }, { count: 1 })
  await sendAgain(api, 'lost', { ...range, until: null, events: null })
  const path = '/api/json/webhook-endpoints/lost/recover'
  expect(posted).toEqual([
    [path, { data: { since: FROM } }],
    [path, { data: { since: '2027-01-01T00:30:00.000Z' } }],
  ])
  expect(runOf('lost').read()?.again.made).toBe(2)
})

it('stops with the reason, keeps what was made, and goes on from there', async () => {
  const no = new ApiFailure('rate_limited', 'Too many.')
  const { api } = service({ count: 7, next_from: '2027-01-01T00:30:00.000Z' }, no, { count: 3 })
  await sendAgain(api, 'stopped', range)
  const run = runOf('stopped').read()
  expect(run).toMatchObject({ again: { made: 7 }, isAsking: false, why: 'Too many.' })
  await sendAgain(api, 'stopped', run?.again ?? range)
  expect(runOf('stopped').read()).toMatchObject({ again: { made: 10, next: null }, why: null })
})

it('does not begin twice', async () => {
  const { api, posted } = service({ count: 1 }, { count: 1 })
  await Promise.all([sendAgain(api, 'twice', range), sendAgain(api, 'twice', range)])
  expect(posted).toHaveLength(1)
})

it('is kept by the tab until it is forgotten, in a form that is read back', async () => {
  const { api } = service({ count: 7, next_from: '2027-01-01T00:30:00.000Z' }, new Error('closed'))
  await sendAgain(api, 'kept', range)
  const [[name = '', text = ''] = []] = [...held]
  expect(name).toBe('pharos.draft.again.kept')
  const again = { ...range, made: 7, next: '2027-01-01T00:30:00.000Z' }
  expect(readAgain(JSON.parse(text))).toEqual(again)
  // As a page that is opened anew finds it.
  held.set('pharos.draft.again.found', text)
  expect(runOf('found').read()).toEqual({ again, isAsking: false, why: null })
  forgetRun('kept')
  expect([held.has(name), runOf('kept').read()]).toEqual([false, null])
  for (const other of [null, {}, { from: 7, startedAt: FROM }, []]) {
    held.set('pharos.draft.again.other', JSON.stringify(other))
    expect(readDraft('again.other', readAgain)).toBeNull()
  }
})

it('counts what was made in the range, and reads the oldest', () => {
  const { from, until, events } = range
  const asked = new URL(countPath({ endpointId: 'e', from, until, events, status: 'pending' }), 'http://x')
  expect(Object.fromEntries(asked.searchParams)).toMatchObject({
    'page[count]': 'true',
    'filter[endpoint_id]': 'e',
    'filter[status]': 'pending',
    'filter[inserted_at][gte]': from,
    'filter[inserted_at][lte]': until,
    'filter[event_type][in][]': 'item.created',
  })
  const rows = [{ attributes: { inserted_at: FROM } }]
  expect(readCount({ data: rows, meta: { page: { total: 3 } } })).toEqual({ total: 3, oldestAt: FROM })
  expect(readCount({ data: [], meta: { page: { total: 0 } } })).toEqual({ total: 0, oldestAt: null })
})
