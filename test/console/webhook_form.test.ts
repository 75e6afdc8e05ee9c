// What the form of an endpoint sends, what it keeps to itself, and how refusals become words at their fields.
import { describe, expect, it } from 'vitest'
import { ApiFailure, type Problem } from '../../console-web/src/data/api_failure.ts'
import { refusalOf } from '../../console-web/src/data/use_sent_form.ts'
import type { Endpoint } from '../../console-web/src/webhooks/endpoint.ts'
import { stateOf } from '../../console-web/src/webhooks/endpoint.ts'
import {
  change,
  creation,
  draftOf,
  type EndpointDraft,
  keptOf,
  movesAway,
  NEW_DRAFT,
  REASON_WORDS,
  readKept,
  refusedWords,
  repeatedHeader,
} from '../../console-web/src/webhooks/endpoint_draft.ts'
import type { EndpointReason } from '../../server/domain/webhooks/endpoints/endpoint_rules.ts'
import { EVENT_NAMES, EVENTS } from '../../shared/wire/webhook_events.ts'

const endpoint: Endpoint = {
  id: '01a2ce8e-9320-7630-bb7f-73edc8868b1d',
  kind: 'push',
  url: 'https://example.com/hook',
  resourceType: 'item',
  events: ['item.created'],
  description: 'The archive',
  authType: 'bearer',
  headerNames: ['X-A', 'X-B'],
  signing: 'v1',
  publicKeys: [],
  formerUntil: null,
  teamFilterId: null,
  enabled: true,
  disabledReason: null,
  maxPerSecond: null,
  consecutiveFailures: 0,
  lastSuccessAt: null,
  lastFailureAt: null,
  insertedAt: '2027-01-01T00:00:00.000Z',
}

const attributes = (body: object | null): unknown =>
  (body as { data: { attributes: object } } | null)?.data.attributes

describe('the form of an endpoint', () => {
  it('shows no claims in any example, and of a deleted item its id alone', () => {
    for (const name of EVENT_NAMES) expect(JSON.stringify(EVENTS[name].example)).not.toContain('"claims"')
    expect(Object.keys(EVENTS['item.deleted'].example)).toEqual(['id'])
  })

  it('sends a new one whole, without what was left blank', () => {
    const headers = [
      { key: 0, name: ' X-A ', value: '1' },
      { key: 1, name: '', value: '' },
    ]
    const draft = { ...NEW_DRAFT, url: ' https://example.com/hook ', events: ['item.deleted'], headers }
    expect(attributes(creation(draft))).toEqual({
      kind: 'push',
      resource_type: 'item',
      signing: 'v1',
      url: 'https://example.com/hook',
      events: ['item.deleted'],
      description: null,
      auth_type: 'none',
      custom_headers: { 'X-A': '1' },
      max_per_second: null,
      team_filter_id: null,
      enabled: true,
    })
  })

  it('sends of one that is read nothing that would be sent to it, and of one about endpoints no team', () => {
    const typed = {
      url: 'https://example.com/',
      authType: 'bearer',
      authSecret: 'typed',
      maxPerSecond: '5',
    } as const
    const draft: EndpointDraft = {
      ...NEW_DRAFT,
      ...typed,
      kind: 'pull',
      resourceType: 'webhook_endpoint',
      events: ['webhook_endpoint.failing', 'item.created'],
      signing: 'v1a',
      teamFilterId: 'a team',
    }
    expect(attributes(creation(draft))).toEqual({
      kind: 'pull',
      resource_type: 'webhook_endpoint',
      signing: 'v1a',
      events: ['webhook_endpoint.failing'],
      description: null,
      enabled: true,
    })
  })

  it('sends a bound as a number, nothing as none, and anything else as it is, to be refused in words', () => {
    const bound = (maxPerSecond: string) =>
      attributes(change({ ...endpoint, maxPerSecond: 7 }, { ...draftOf(endpoint), maxPerSecond }))
    expect([bound(' 12 '), bound(''), bound('1e2')]).toEqual([
      { max_per_second: 12 },
      { max_per_second: null },
      { max_per_second: '1e2' },
    ])
    expect(change({ ...endpoint, maxPerSecond: 7 }, { ...draftOf(endpoint), maxPerSecond: '7' })).toBeNull()
  })

  it('keeps the events of an endpoint about endpoints', () => {
    const about = {
      ...endpoint,
      resourceType: 'webhook_endpoint',
      events: ['webhook_endpoint.disabled'],
    } as const
    expect(change(about, draftOf(about))).toBeNull()
    const events = [...about.events, 'webhook_endpoint.failing']
    expect(attributes(change(about, { ...draftOf(about), events }))).toEqual({
      events: ['webhook_endpoint.failing', 'webhook_endpoint.disabled'],
    })
  })

  it('sends nothing of what was not touched, above all no secret and no headers', () => {
    const draft = draftOf(endpoint)
    expect(change(endpoint, draft)).toBeNull()
    expect(attributes(change(endpoint, { ...draft, description: 'Another' }))).toEqual({
      description: 'Another',
    })
    expect(attributes(change(endpoint, { ...draft, authSecret: 'new' }))).toEqual({ auth_secret: 'new' })
    // A secret typed before the kind was changed back goes nowhere.
    expect(attributes(change(endpoint, { ...draft, authType: 'none', authSecret: 'new' }))).toEqual({
      auth_type: 'none',
    })
    expect(attributes(change(endpoint, { ...draft, headers: [] }))).toEqual({ custom_headers: {} })
    expect(change({ ...endpoint, headerNames: [] }, { ...draft, headers: [] })).toBeNull()
  })

  it('says when the address leads to another host, where nothing stored goes along', () => {
    const to = (url: string) => movesAway(endpoint, { ...draftOf(endpoint), url })
    for (const url of ['https://EXAMPLE.com:443/other', ' https://example.com/hook?x '])
      expect(to(url)).toBe(false)
    for (const url of ['https://example.com:8443/', 'https://example.org/hook', ''])
      expect(to(url)).toBe(true)
    expect(movesAway(null, NEW_DRAFT)).toBe(false)
  })

  it('never switches an endpoint on or off by the way', () => {
    const draft = draftOf(endpoint)
    expect(change({ ...endpoint, enabled: false, disabledReason: 'manual' }, draft)).toBeNull()
  })

  it('notices that two headers have one name, which the request could not say', () => {
    const row = (key: number, name: string) => ({ key, name, value: 'v' })
    expect(repeatedHeader({ ...NEW_DRAFT, headers: [row(0, 'X-A'), row(1, 'x-a ')] })).toBe('x-a')
    expect(repeatedHeader({ ...NEW_DRAFT, headers: [row(0, 'X-A'), row(1, 'X-B')] })).toBeNull()
  })
})

const problem = (code: string, pointer: string | null, meta: object = {}): Problem => ({
  code,
  detail: 'is wrong',
  pointer,
  meta: { ...meta },
})
const refused = (...problems: Problem[]) =>
  refusalOf(new ApiFailure('refused', 'It was refused.', { problems }), refusedWords)

describe('the draft of a new endpoint that the tab keeps', () => {
  const draft: EndpointDraft = {
    ...NEW_DRAFT,
    url: 'https://hooks.example.com/',
    resourceType: 'webhook_endpoint',
    events: ['webhook_endpoint.failing'],
    signing: 'v1a',
    maxPerSecond: '12',
    authType: 'bearer',
    authSecret: 'a secret',
    headers: [{ key: 4, name: 'x-own', value: 'another secret' }],
  }

  it('has no secret and no value of a header', () => {
    expect(JSON.stringify(keptOf(draft))).not.toMatch(/secret"|another/)
  })

  it('is read back as it was, but for those', () => {
    expect(readKept(JSON.parse(JSON.stringify(keptOf(draft))))).toEqual({
      ...draft,
      authSecret: '',
      headers: [{ key: 0, name: 'x-own', value: '' }],
    })
    expect(() => readKept('nothing of the kind')).toThrow()
    const strange = { events: ['no.event'], headers: [7] }
    expect(readKept(strange)).toEqual({ ...NEW_DRAFT, events: ['no.event'] })
    expect(attributes(creation(readKept(strange)))).toMatchObject({ events: [] })
  })
})

describe('a refusal', () => {
  it('has words for every reason the service gives', () => {
    const words: Readonly<Record<EndpointReason, string>> = REASON_WORDS
    for (const reason of Object.keys(words)) {
      const fields = refused(problem('invalid_attribute', '/data/attributes/url', { reason }))
      expect(fields.get('url'), reason).not.toMatch(/is wrong/)
    }
  })

  it('stands at its field, also at one event or one header', () => {
    const fields = refused(
      problem('required', '/data/attributes/url'),
      problem('invalid_attribute', '/data/attributes/events/3', { reason: 'unknown_event' }),
      problem('invalid_attribute', '/data/attributes/custom_headers/a~1b', { reason: 'forbidden_header' }),
      problem('invalid_attribute', '/data/attributes/description'),
    )
    expect([...fields.keys()]).toEqual(['url', 'events', 'custom_headers/a/b', 'description'])
    expect(fields.get('description')).toBe('This is wrong.')
  })

  it('says of an address that moved what has to be given again', () => {
    const meta = { reason: 'origin_changed' }
    const fields = refused(
      problem('required', '/data/attributes/auth_secret', meta),
      problem('required', '/data/attributes/custom_headers', meta),
    )
    expect([...fields.keys()]).toEqual(['auth_secret', 'custom_headers'])
    for (const words of fields.values()) expect(words).toMatch(/another host/)
  })

  it('says what the plan includes, and never says nothing', () => {
    const limit = (meta: object) => refused(problem('plan_limit', null, meta)).get(null)
    expect(limit({ limit: 0, plan: 'free' })).toBe('Your plan (free) includes no webhook endpoints.')
    expect(limit({ limit: 5, plan: 'developer' })).toMatch(/\(developer\) includes 5 webhook endpoints/)
    expect(refused().get(null)).toBe('It was refused.')
  })
})

describe('the state of an endpoint', () => {
  it('is told by its last attempt and by who switched it off', () => {
    const early = '2027-01-01T00:00:00.000Z'
    const late = '2027-01-02T00:00:00.000Z'
    expect(stateOf(endpoint)).toBe('enabled')
    expect(stateOf({ ...endpoint, lastSuccessAt: late, lastFailureAt: early })).toBe('enabled')
    expect(stateOf({ ...endpoint, lastSuccessAt: early, lastFailureAt: late })).toBe('struggling')
    expect(stateOf({ ...endpoint, enabled: false, disabledReason: 'manual' })).toBe('paused')
    expect(stateOf({ ...endpoint, enabled: false, disabledReason: 'failing' })).toBe('failing')
    expect(stateOf({ ...endpoint, enabled: false, disabledReason: 'gone' })).toBe('gone')
  })
})
