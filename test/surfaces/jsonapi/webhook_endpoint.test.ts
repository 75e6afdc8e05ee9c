// Webhook endpoints over JSON:API: every rule with its reason, secrets that never leave, caps, owners and changes.
import { afterAll, describe, expect, it } from 'vitest'
import { addressRanges } from '../../../server/kernel/addresses.ts'
import { newUuid7 } from '../../../server/kernel/identifiers.ts'
import type { TestAccount } from '../../support/app.ts'
import { type Answer, ask } from '../../support/http.ts'
import { testApp } from '../../support/test_app.ts'
import { errorsOf, pageOf, refusals, resourceOf } from './documents.ts'

const app = testApp({
  webhooks: { allow: addressRanges(''), deny: addressRanges('9.9.9.0/24 2620:fe::/48') },
})
afterAll(async () => {
  expect(app.logged.filter(({ level }) => level === 'error')).toEqual([])
})

const PATH = '/api/json/webhook-endpoints'
const VALID = { url: 'https://hooks.example.com/x', resource_type: 'item', events: ['item.created'] }

const send = (
  method: string,
  path: string,
  attributes: object,
  by: TestAccount = app.owner,
): Promise<Answer> =>
  ask(app.port, path, {
    method,
    key: by.key,
    body: { json: { data: { type: 'webhook_endpoint', attributes } } },
  })

const create = (attributes: object, by?: TestAccount) => send('POST', PATH, { ...VALID, ...attributes }, by)
const update = (id: string, attributes: object, by?: TestAccount) =>
  send('PATCH', `${PATH}/${id}`, attributes, by)

/** `/data/attributes/url not_https`: place and reason of every error. */
const reasons = (answer: Answer): string[] =>
  errorsOf(answer).map(({ source, meta }) => [...Object.values(source ?? {}), meta.reason].join(' '))

describe('creating', () => {
  it('answers the endpoint with its defaults, at its Location', async () => {
    const answer = await create({})
    const made = resourceOf(answer, 201)
    expect(answer.headers.location).toBe(`${app.base}${PATH}/${made.id}`)
    expect(made).toMatchObject({
      type: 'webhook_endpoint',
      attributes: {
        ...VALID,
        description: null,
        auth_type: 'none',
        custom_header_names: [],
        team_filter_id: null,
        enabled: true,
        disabled_reason: null,
        max_per_second: null,
        consecutive_failures: 0,
        last_success_at: null,
        last_failure_at: null,
      },
    })
    expect(resourceOf(await ask(app.port, `${PATH}/${made.id}`, { key: app.owner.key }))).toEqual(made)
  })

  it('takes everything there is, and tells neither the secret nor the values of headers', async () => {
    const answer = await create({
      description: 'for people',
      auth_type: 'bearer',
      auth_secret: 'very-secret-value',
      custom_headers: { 'X-Environment': 'header-secret-value', 'X-Other': 'b' },
      team_filter_id: app.owner.teamId,
      enabled: false,
      max_per_second: 1_000,
    })
    const made = resourceOf(answer, 201)
    expect(made.attributes).toMatchObject({
      auth_type: 'bearer',
      custom_header_names: ['X-Environment', 'X-Other'],
      team_filter_id: app.owner.teamId,
      enabled: false,
      disabled_reason: 'manual',
      max_per_second: 1_000,
    })
    expect(made.attributes).not.toHaveProperty('auth_secret')
    expect(made.attributes).not.toHaveProperty('custom_headers')
    const seen = [
      answer.text,
      (await ask(app.port, `${PATH}/${made.id}`, { key: app.owner.key })).text,
      (await ask(app.port, PATH, { key: app.owner.key })).text,
      (await update(made.id, { url: 'http://x/', auth_secret: 'very-secret-value', nothing: 1 })).text,
      JSON.stringify(app.logged),
      JSON.stringify(await app.query('SELECT * FROM webhook_endpoints WHERE id = $1', [made.id])),
    ]
    for (const text of seen) expect(text).not.toMatch(/very-secret-value|header-secret-value/)
    const named = await ask(app.port, `${PATH}?fields[webhook_endpoint]=auth_secret`, { key: app.owner.key })
    expect(refusals(named)).toEqual(['400 invalid_field fields[webhook_endpoint]'])
  })

  it.each([
    ['not a url', ['invalid_url']],
    ['', ['invalid_url']],
    ['//hooks.example.com/', ['invalid_url']],
    ['https://hooks.example.com/a b', ['invalid_url']],
    ['https://hooks.exa\nmple.com/', ['invalid_url']],
    ['https://hooks.example.com:0/', ['invalid_url']],
    ['https://hooks.example.com:99999/', ['invalid_url']],
    ['https://[::1%25lo]/', ['invalid_url']],
    ['https://hooks..example.com/', ['invalid_url']],
    ['https://.example.com/', ['invalid_url']],
    ['https://example.com../', ['invalid_url']],
    ['https://./', ['invalid_url']],
    [`https://${'x'.repeat(64)}.example.com/`, ['invalid_url']],
    [`https://${'x.'.repeat(125)}long/`, ['invalid_url']],
    ['http://hooks.example.com/', ['not_https']],
    ['ftp://hooks.example.com/', ['not_https']],
    ['https://user:pw@hooks.example.com/', ['embedded_credentials']],
    ['https://user@hooks.example.com/', ['embedded_credentials']],
    ['https://localhost/', ['blocked_host']],
    ['https://LOCALHOST./', ['blocked_host']],
    ['https://a.b.localhost:8443/', ['blocked_host']],
    ['https://127.0.0.1/', ['private_address']],
    ['https://127.0.0.1./', ['private_address']],
    ['https://2130706433/', ['private_address']],
    ['https://0x7f.1/', ['private_address']],
    ['https://017700000001/', ['private_address']],
    ['https://127.1/', ['private_address']],
    ['https://１２７.0.0.1/', ['private_address']],
    ['https://%31%32%37.0.0.1/', ['private_address']],
    ['https://10.0.0.1/', ['private_address']],
    ['https://169.254.169.254/latest', ['private_address']],
    ['https://100.64.0.1/', ['private_address']],
    ['https://[::1]/', ['private_address']],
    ['https://[::ffff:127.0.0.1]/', ['private_address']],
    ['https://[::ffff:8.8.8.8]/', ['private_address']],
    ['https://[::8.8.8.8]/', ['private_address']],
    ['https://[4000::1]/', ['private_address']],
    ['https://[64:ff9b::a9fe:a9fe]/', ['private_address']],
    ['https://[fd00::1]/', ['private_address']],
    ['https://[2002:7f00:1::]/', ['private_address']],
    ['https://168.63.129.16/', ['private_address']],
    ['https://9.9.9.9/', ['private_address']],
    ['https://[2620:fe::9]/', ['private_address']],
    ['http://user@localhost/', ['not_https', 'embedded_credentials', 'blocked_host']],
  ])('refuses %j as %j', async (url, expected) => {
    expect(reasons(await create({ url }))).toEqual(expected.map((one) => `/data/attributes/url ${one}`))
  })

  it.each([
    [{ events: [] }, ['/data/attributes/events empty']],
    [{ events: ['item.created', 'item.exploded'] }, ['/data/attributes/events/1 unknown_event']],
    [{ events: ['block.finalized'] }, ['/data/attributes/events/0 unknown_event']],
    [{ auth_type: 'bearer', auth_secret: 'a\r\nb' }, ['/data/attributes/auth_secret control_character']],
    [{ auth_type: 'bearer', auth_secret: 'a\0b' }, ['/data/attributes/auth_secret control_character']],
    ...[
      'Host',
      'content-length',
      'Content-Type',
      'transfer-encoding',
      'connection',
      'authorization',
      'user-agent',
      'webhook-id',
      'X-Pharos-Event',
      'keep-alive',
      'te',
      'trailer',
      'upgrade',
      'expect',
      'proxy-authorization',
      'no token',
      'ümlaut',
      'a:b',
      '',
    ].map((name) => [
      { custom_headers: { [name]: 'x' } },
      [`/data/attributes/custom_headers/${name} forbidden_header`],
    ]),
    [{ custom_headers: { 'x-a': 'a\nb' } }, ['/data/attributes/custom_headers/x-a control_character']],
    [{ custom_headers: { 'x-a': 'a\0b' } }, ['/data/attributes/custom_headers/x-a control_character']],
    [{ custom_headers: { 'x\r\n': 'b' } }, ['/data/attributes/custom_headers/x\r\n control_character']],
  ] as [object, string[]][])('refuses %j', async (attributes, expected) => {
    expect(reasons(await create(attributes))).toEqual(expected)
  })

  it.each([
    [{ url: `https://hooks.example.com/${'x'.repeat(2_048)}` }, '/data/attributes/url'],
    [{ auth_type: 'bearer', auth_secret: 'x'.repeat(4_097) }, '/data/attributes/auth_secret'],
    [{ auth_type: 'bearer', auth_secret: '' }, '/data/attributes/auth_secret'],
    [{ auth_secret: 'x' }, '/data/attributes/auth_secret'],
    [{ auth_type: 'basic' }, '/data/attributes/auth_type'],
    [{ resource_type: 'block' }, '/data/attributes/resource_type'],
    [{ events: 'item.created' }, '/data/attributes/events'],
    [{ events: ['item.created', 'item.created'] }, '/data/attributes/events/1'],
    [{ custom_headers: { 'x-a': 'x'.repeat(1_025) } }, '/data/attributes/custom_headers/x-a'],
    [{ custom_headers: { ['x'.repeat(65)]: 'a' } }, `/data/attributes/custom_headers/${'x'.repeat(65)}`],
    [{ custom_headers: { 'x-a': 'a', 'X-A': 'b' } }, '/data/attributes/custom_headers/X-A'],
    [{ custom_headers: { 'x-a': 5 } }, '/data/attributes/custom_headers/x-a'],
    [{ custom_headers: [] }, '/data/attributes/custom_headers'],
    [{ custom_headers: { ['__proto__']: 'a' } }, '/data/attributes/custom_headers'],
    [
      { custom_headers: Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`x-${n}`, 'a'])) },
      '/data/attributes/custom_headers',
    ],
    [
      { custom_headers: Object.fromEntries(Array.from({ length: 15_000 }, (_, n) => [`x:${n}`, 'a'])) },
      '/data/attributes/custom_headers',
    ],
    [{ team_filter_id: newUuid7() }, '/data/attributes/team_filter_id'],
    [{ enabled: 'yes' }, '/data/attributes/enabled'],
    [{ max_per_second: 0 }, '/data/attributes/max_per_second'],
    [{ max_per_second: 1_001 }, '/data/attributes/max_per_second'],
    [{ max_per_second: 1.5 }, '/data/attributes/max_per_second'],
  ])('refuses what breaks another rule, at its place (%#)', async (attributes, place) => {
    expect(refusals(await create(attributes))).toEqual([`400 invalid_attribute ${place}`])
  })

  it('takes the longest of everything', async () => {
    const custom_headers = Object.fromEntries(
      Array.from({ length: 20 }, (_, n) => [
        `${'x'.repeat(62)}${String(n).padStart(2, '0')}`,
        'é'.repeat(1_024),
      ]),
    )
    const url = `https://hooks.example.com/${'x'.repeat(2_048 - 26)}`
    const answer = await create({ url, auth_type: 'bearer', auth_secret: '€'.repeat(4_096), custom_headers })
    expect(resourceOf(answer, 201).attributes.url).toBe(url)
  })

  it('tells all mistakes at once', async () => {
    const answer = await send('POST', PATH, {
      url: 'http://localhost/',
      auth_type: 'bearer',
      custom_headers: { host: 'x' },
      nothing: true,
      team_filter_id: newUuid7(),
    })
    expect(refusals(answer)).toEqual([
      '400 invalid_attribute /data/attributes/custom_headers/host',
      '400 invalid_attribute /data/attributes/team_filter_id',
      '400 invalid_attribute /data/attributes/url',
      '400 invalid_attribute /data/attributes/url',
      '400 invalid_body /data/attributes/nothing',
      '400 required /data/attributes/auth_secret',
      '400 required /data/attributes/events',
      '400 required /data/attributes/resource_type',
    ])
  })

  it.each([
    'https://no-such-host.invalid/',
    'https://no-such-host.invalid./',
    `https://${'x'.repeat(63)}.invalid/`,
    `https://${'x.'.repeat(123)}invalid/`,
    'https://_a.invalid/',
  ])('accepts a name that does not resolve, but could: %s', async (url) => {
    resourceOf(await create({ url }), 201)
  })
})

describe('the cap of the plan', () => {
  const onPlan = async (name: string, plan: string): Promise<TestAccount> => {
    const account = await app.account(name)
    await app.query('UPDATE users SET plan = $2 WHERE id = $1', [account.userId, plan])
    return account
  }

  it('refuses what is beyond it, and takes one again when one was removed', async () => {
    const dev = await onPlan('dev', 'developer')
    const made = []
    for (let n = 0; n < 5; n += 1) made.push(resourceOf(await create({}, dev), 201))
    const refused = await create({}, dev)
    expect(errorsOf(refused)).toMatchObject([{ status: '403', code: 'plan_limit', meta: { limit: 5 } }])
    await ask(app.port, `${PATH}/${made[0]?.id}`, { method: 'DELETE', key: dev.key })
    resourceOf(await create({}, dev), 201)
  })

  it('is zero on the free plan', async () => {
    const free = await onPlan('free', 'free')
    expect(errorsOf(await create({}, free))).toMatchObject([{ code: 'plan_limit', meta: { limit: 0 } }])
  })

  it('holds when many arrive at once', async () => {
    const rush = await onPlan('rush', 'developer')
    for (let n = 0; n < 4; n += 1) await create({}, rush)
    const answers = await Promise.all(Array.from({ length: 12 }, () => create({}, rush)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 403)).toHaveLength(11)
  })
})

describe('changing', () => {
  const made = async (attributes: object = {}) => resourceOf(await create(attributes), 201).id

  it('changes what is named and leaves the rest; the resource type is not accepted', async () => {
    const id = await made({ description: 'a' })
    const changed = resourceOf(await update(id, { events: ['item.deleted'], description: null }))
    expect(changed.attributes).toMatchObject({ url: VALID.url, events: ['item.deleted'], description: null })
    expect(refusals(await update(id, { resource_type: 'item' }))).toEqual([
      '400 invalid_body /data/attributes/resource_type',
    ])
    expect(reasons(await update(id, { url: 'https://10.1.1.1/' }))).toEqual([
      '/data/attributes/url private_address',
    ])
    expect(reasons(await update(id, { events: [] }))).toEqual(['/data/attributes/events empty'])
  })

  it('custom_headers replaces all of them, and null removes them', async () => {
    const id = await made({ custom_headers: { 'x-a': '1', 'x-b': '2' } })
    const names = async (custom_headers: object | null) =>
      resourceOf(await update(id, { custom_headers })).attributes.custom_header_names
    expect(await names({ 'x-c': '3' })).toEqual(['x-c'])
    expect(await names(null)).toEqual([])
  })

  it('bearer needs a secret, given now or before; none forgets it', async () => {
    const id = await made()
    const required = ['400 required /data/attributes/auth_secret']
    expect(refusals(await update(id, { auth_type: 'bearer' }))).toEqual(required)
    expect(refusals(await update(id, { auth_secret: 'x' }))).toEqual([
      '400 invalid_attribute /data/attributes/auth_secret',
    ])
    resourceOf(await update(id, { auth_type: 'bearer', auth_secret: 'one' }))
    resourceOf(await update(id, { auth_type: 'bearer' }))
    resourceOf(await update(id, { auth_secret: 'two' }))
    resourceOf(await update(id, { auth_type: 'none' }))
    const [row] = await app.query<{ sealed_auth_secret: unknown }>(
      'SELECT sealed_auth_secret FROM webhook_endpoints WHERE id = $1',
      [id],
    )
    expect(row?.sealed_auth_secret).toBeNull()
    expect(refusals(await update(id, { auth_type: 'bearer' }))).toEqual(required)
  })

  it('another origin gets nothing that is sealed, unless it is given again', async () => {
    const sealed = {
      auth_type: 'bearer',
      auth_secret: 'one',
      custom_headers: { 'x-key': 'two' },
    }
    const id = await made(sealed)
    const moves = (attributes: object) => update(id, { url: 'https://elsewhere.invalid/', ...attributes })
    const secret = '400 required /data/attributes/auth_secret'
    const headers = '400 required /data/attributes/custom_headers'
    expect(refusals(await moves({}))).toEqual([secret, headers])
    expect(refusals(await moves({ auth_secret: 'again' }))).toEqual([headers])
    expect(refusals(await moves({ custom_headers: {} }))).toEqual([secret])
    expect(refusals(await moves({ auth_type: 'bearer', custom_headers: null }))).toEqual([secret])
    for (const url of ['https://hooks.example.com:8443/', 'https://hooks.example.com./'])
      expect(refusals(await update(id, { url }))).toEqual([secret, headers])
    // The same origin, however it is written, has had them already.
    resourceOf(await update(id, { url: 'https://HOOKS.example.com:443/other?path' }))
    resourceOf(await moves({ auth_secret: 'again', custom_headers: { 'x-other': 'b' } }))
    resourceOf(await update(id, { url: VALID.url, auth_type: 'none', custom_headers: {} }))
    const moved = resourceOf(await moves({}))
    expect(moved.attributes).toMatchObject({ auth_type: 'none', custom_header_names: [] })
  })

  it('max_per_second is set, and lifted with null', async () => {
    const id = await made()
    expect(resourceOf(await update(id, { max_per_second: 1 })).attributes.max_per_second).toBe(1)
    expect(resourceOf(await update(id, { description: 'slow' })).attributes.max_per_second).toBe(1)
    expect(resourceOf(await update(id, { max_per_second: null })).attributes.max_per_second).toBeNull()
  })

  it('enabled pauses and resumes, and resuming forgets the failures', async () => {
    const id = await made()
    expect(resourceOf(await update(id, { enabled: false })).attributes).toMatchObject({
      enabled: false,
      disabled_reason: 'manual',
    })
    await app.query(
      `UPDATE webhook_endpoints SET disabled_reason = 'failing', consecutive_failures = 20, failing_since = now()
        WHERE id = $1`,
      [id],
    )
    expect(resourceOf(await update(id, { enabled: false })).attributes.disabled_reason).toBe('failing')
    expect(resourceOf(await update(id, { enabled: true })).attributes).toMatchObject({
      enabled: true,
      disabled_reason: null,
      consecutive_failures: 0,
    })
  })
})

describe('owners', () => {
  it('see and change only their own; what is somebody else’s is not there', async () => {
    const { id } = resourceOf(await create({}), 201)
    const stranger = await app.account('mallory')
    await app.join(app.owner.teamId, stranger.userId, 'admin')
    const path = `${PATH}/${id}`
    const key = stranger.key
    for (const answer of [
      await ask(app.port, path, { key }),
      await update(id, { enabled: false }, stranger),
      await ask(app.port, path, { method: 'DELETE', key }),
      await ask(app.port, `${path}/test`, { key, body: { json: { data: {} } } }),
      await ask(app.port, `${path}/recover`, {
        key,
        body: { json: { data: { since: '2026-01-01T00:00:00Z' } } },
      }),
    ])
      expect(refusals(answer)).toEqual(['404 not_found'])
    expect(pageOf(await ask(app.port, PATH, { key })).data).toEqual([])
  })

  it('remove one and get it as it was', async () => {
    const { id } = resourceOf(await create({ description: 'last words' }), 201)
    const gone = await ask(app.port, `${PATH}/${id}`, { method: 'DELETE', key: app.owner.key })
    expect(resourceOf(gone).attributes.description).toBe('last words')
    expect((await ask(app.port, `${PATH}/${id}`, { key: app.owner.key })).status).toBe(404)
  })

  it('list theirs by url, enabled and time', async () => {
    const lister = await app.account('lister')
    for (const name of ['b', 'a', 'c'])
      resourceOf(await create({ url: `https://${name}.example.com/`, enabled: name !== 'c' }, lister), 201)
    const urls = async (query: string) =>
      pageOf(await ask(app.port, `${PATH}?${query}`, { key: lister.key })).data.map(({ attributes }) =>
        new URL(String(attributes.url)).host.slice(0, 1),
      )
    expect(await urls('sort=url')).toEqual(['a', 'b', 'c'])
    expect(await urls('sort=inserted_at')).toEqual(['b', 'a', 'c'])
    expect(await urls('filter[enabled]=false')).toEqual(['c'])
    expect(await urls('filter[url][contains]=a.example')).toEqual(['a'])
  })
})
