// Clients that register themselves: floods, odd documents, and names and addresses that deceive (RFC 7591 section 5).
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { addressRanges } from '../../server/kernel/addresses.ts'
import { POOL_SIZE, type TestApp } from '../support/app.ts'
import { openBrowserJar } from '../support/browser_jar.ts'
import { type Answer, ask, openWire } from '../support/http.ts'
import { authorizationRequest, TEST_PASSWORD } from '../support/oauth.ts'
import { openReceiver } from '../support/receiver.ts'
import {
  allow,
  askToken,
  authorize,
  codeExchange,
  openScene,
  openSignIn,
  type Scene,
  statusWith,
} from './scene.ts'

let scene: Scene
let app: TestApp
beforeAll(async () => {
  scene = await openScene({ trustedProxies: addressRanges('127.0.0.1') })
  app = scene.app
})
afterAll(() => app.close())

const URI = 'https://client.example/callback'

const register = (body: unknown, address = '192.0.2.1', type = 'application/json'): Promise<Answer> =>
  ask(app.port, '/oauth/register', {
    method: 'POST',
    headers: { 'Content-Type': type, 'X-Forwarded-For': address },
    body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body),
  })

const registered = async (metadata: object): Promise<Readonly<Record<string, unknown>>> => {
  const answer = await register({ redirect_uris: [URI], ...metadata })
  expect([answer.status, answer.headers['cache-control']]).toEqual([201, 'no-store'])
  return answer.json() as Record<string, unknown>
}

const clients = async (where = 'true', parameters: readonly unknown[] = []): Promise<number> => {
  const [row] = await app.query<{ n: string }>(
    `SELECT count(*) AS n FROM oauth_clients WHERE ${where}`,
    parameters,
  )
  return Number(row?.n)
}

describe('a flood of registrations', () => {
  const BUSY_MINUTES = 31
  /** Clients that nobody has allowed anything. They were registered this many minutes ago. */
  const flood = (many: number, networkOf: string, minutes = 0) =>
    app.query(
      `INSERT INTO oauth_clients (id, registered_by, name, redirect_uris, auth_method, address, expires_at)
       SELECT 'flood-' || gen_random_uuid(), 'client', 'x', '{https://flood.example/}', 'none', ${networkOf},
              pharos_now() + interval '1 day' - $2 * interval '1 minute' FROM generate_series(1, $1) AS n`,
      [many, minutes],
    )
  const registerFrom = (address: string) => register({ redirect_uris: [URI] }, address)
  /** A client of this address, and its authorization request, on which a person is asked to sign in. */
  const signInUnderWay = async (address: string) => {
    const { client_id } = (await registerFrom(address)).json() as { client_id: string }
    const client = { client_id, token_endpoint_auth_method: 'none' }
    const { request, ...at } = await openSignIn({ server: scene.server, client }, openBrowserJar())
    return { client, request, ...at }
  }
  const finish = async ({ client, request, browser, page }: Awaited<ReturnType<typeof signInUnderWay>>) => {
    const signedIn = await browser.submit(page, '/sign-in', { email: scene.email, password: TEST_PASSWORD })
    const consent = await browser.follow(signedIn)
    const { location } = await browser.follow(await browser.submit(consent, '/consent'))
    const code = location?.searchParams.get('code') ?? ''
    return (await askToken(app, codeExchange({ client }, { request, code }))).status
  }

  afterEach(() =>
    app.query(
      `DELETE FROM oauth_clients WHERE granted_at IS NULL AND registered_by = 'client' AND id <> $1`,
      [scene.client.client_id],
    ),
  )

  it('of one network ends no sign-in under way: one too many is refused, and told when to come back', async () => {
    const address = '198.51.100.7'
    const begun = await signInUnderWay(address)
    for (const { status } of await Promise.all(Array.from({ length: 60 }, () => registerFrom(address))))
      expect(status).toBe(201)
    await flood(190, `'${address}'`)
    const refused = await registerFrom(address)
    expect([refused.status, refused.json()]).toEqual([
      429,
      { error: 'temporarily_unavailable', error_description: expect.stringContaining('applications') },
    ])
    const wait = Number(refused.headers['retry-after'])
    expect(wait).toBeGreaterThan((BUSY_MINUTES - 5) * 60)
    expect(wait).toBeLessThanOrEqual(BUSY_MINUTES * 60)
    // Neighbours do not notice.
    expect((await registerFrom('198.51.100.8')).status).toBe(201)
    expect(await finish(begun)).toBe(200)
  })

  it('takes the place of the idlest client of the network, once a sign-in for it would be over', async () => {
    const address = '198.51.100.9'
    await flood(248, `'${address}'`, 5)
    await flood(1, `'${address}'`, BUSY_MINUTES + 1)
    await flood(1, `'${address}'`, BUSY_MINUTES + 2)
    const idle = (minutes: number) =>
      clients(`address = $1 AND expires_at < pharos_now() + interval '1 day' - $2 * interval '1 minute'`, [
        address,
        minutes,
      ])
    expect(await idle(BUSY_MINUTES + 1)).toBe(2)
    expect((await registerFrom(address)).status).toBe(201)
    expect([await idle(BUSY_MINUTES + 1), await idle(BUSY_MINUTES + 2)]).toEqual([1, 0])
    expect((await registerFrom(address)).status).toBe(201)
    expect((await registerFrom(address)).status).toBe(429)
    expect(await clients('address = $1', [address])).toBe(250)
  })

  it('does not end a sign-in that began long after its client was registered', async () => {
    const address = '198.51.100.10'
    const { client_id } = (await registerFrom(address)).json() as { client_id: string }
    await flood(249, `'${address}'`, 60)
    await app.query(`UPDATE oauth_clients SET expires_at = expires_at - interval '20 hours' WHERE id = $1`, [
      client_id,
    ])
    await openSignIn({ server: scene.server, client: { client_id } }, openBrowserJar())
    expect((await registerFrom(address)).status).toBe(201)
    expect(await clients('id = $1', [client_id])).toBe(1)
  })

  it('that comes all at once gets no more than its part, and one for each connection', async () => {
    const address = '198.51.100.11'
    await flood(225, `'${address}'`)
    const statuses = (await Promise.all(Array.from({ length: 60 }, () => registerFrom(address)))).map(
      ({ status }) => status,
    )
    expect(new Set(statuses)).toEqual(new Set([201, 429]))
    expect(await clients('address = $1', [address])).toBeLessThanOrEqual(250 + POOL_SIZE)
    expect(await clients(`address = $1 AND id LIKE 'flood-%'`, [address])).toBe(225)
  })

  it('of many networks keeps out nobody who registers one, and fills no table', async () => {
    const tokens = await allow(scene)
    await flood(9_600, `'203.0.113.' || n % 100`)
    await flood(12, `'192.0.2.99'`)
    expect((await registerFrom('192.0.2.99')).status).toBe(429)
    expect((await registerFrom('192.0.2.98')).status).toBe(201)
    expect((await registerFrom('2001:db8:1:2::1')).status).toBe(201)
    await flood(386, `'203.0.113.' || n % 100`)
    expect((await registerFrom('192.0.2.97')).status).toBe(429)
    expect(await clients(`granted_at IS NULL AND registered_by = 'client'`)).toBeLessThanOrEqual(10_001)
    expect(await statusWith(app, tokens.access_token)).toBe(200)
    await authorize(scene)
  })

  it('gives way to who registers one, from what the network has left idle that holds most', async () => {
    await flood(9_700, `'203.0.113.' || n % 100`)
    await flood(1, `'192.0.2.50'`, 300)
    await flood(10, `'203.0.113.250'`, 60)
    await flood(240, `'203.0.113.250'`, 35)
    await flood(2, `'192.0.2.51'`, 40)
    expect((await registerFrom('192.0.2.51')).status).toBe(201)
    const counts = () =>
      Promise.all(['203.0.113.250', '192.0.2.50', '192.0.2.51'].map((one) => clients('address = $1', [one])))
    expect(await counts()).toEqual([249, 1, 3])
    // Where that network has nothing idle, one's own idle ones still give way.
    await flood(250, `'203.0.113.251'`)
    expect((await registerFrom('192.0.2.51')).status).toBe(201)
    expect(await counts()).toEqual([249, 1, 3])
    expect((await registerFrom('192.0.2.52')).status).toBe(429)
  })
})

describe('a document', () => {
  const deep = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`
  it.each<[string, string | Uint8Array, number]>([
    ['too large', JSON.stringify({ redirect_uris: [URI], client_name: 'x'.repeat(66_000) }), 413],
    ['nested without end', `{"redirect_uris":["${URI}"],"x":${deep(30_000)}}`, 400],
    ['with a member twice', `{"redirect_uris":["${URI}"],"redirect_uris":["https://evil.example/"]}`, 400],
    ['that is not UTF-8', Buffer.from(`{"redirect_uris":["${URI}"],"client_name":"\xff"}`, 'latin1'), 400],
    ['with half a character', `{"redirect_uris":["${URI}"],"client_name":"\\ud800"}`, 400],
    ['that is a list', '[]', 400],
    ['that is a text', '"redirect_uris"', 400],
    ['that is null', 'null', 400],
    ['that is empty', '', 400],
    ['that is not JSON', `{redirect_uris:["${URI}"]}`, 400],
    ['with a prototype', `{"__proto__":{"redirect_uris":["${URI}"]}}`, 400],
    ['with a constructor', `{"constructor":{"prototype":{"redirect_uris":["${URI}"]}}}`, 400],
    ['without addresses', '{"redirect_uris":[]}', 400],
    ['with one address as text', `{"redirect_uris":"${URI}"}`, 400],
    ['with an object for an address', '{"redirect_uris":[{"href":"https://client.example/"}]}', 400],
    [
      'with many addresses',
      JSON.stringify({ redirect_uris: Array.from({ length: 21 }, (_, at) => `${URI}/${at}`) }),
      400,
    ],
    [
      'with a key of its own',
      `{"redirect_uris":["${URI}"],"token_endpoint_auth_method":"private_key_jwt"}`,
      400,
    ],
    ['for other grants', `{"redirect_uris":["${URI}"],"grant_types":["client_credentials"]}`, 400],
    ['for other responses', `{"redirect_uris":["${URI}"],"response_types":["token"]}`, 400],
  ])('%s is refused, and nothing is stored', async (_what, body, status) => {
    const before = await clients()
    const answer = await register(body)
    expect([answer.status, Object.keys(answer.json() as object).sort()]).toEqual([
      status,
      ['error', 'error_description'],
    ])
    expect(await clients()).toBe(before)
    expect(Object.keys(Object.prototype)).toEqual([])
  })

  it('of another type, or sent in pieces without end, is refused', async () => {
    const body = { redirect_uris: [URI] }
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=a',
      '',
    ])
      expect([type, (await register(body, undefined, type)).status]).toEqual([type, 415])
    const wire = await openWire(app.port)
    wire.write(
      'POST /oauth/register HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n',
    )
    const piece = `4000\r\n${' '.repeat(16_384)}\r\n`
    for (let sent = 0; sent < 5; sent += 1) wire.write(piece)
    expect(await wire.ended).toMatch(/^HTTP\/1\.1 413 /)
  })

  it('cannot choose its id, its secret, its owner or its powers', async () => {
    const made = await registered({
      client_id: 'console',
      client_secret: 'chosen',
      registered_by: 'operator',
      application_type: 'web',
      scope: 'account api:write',
      is_first_party: true,
      require_auth_time: false,
      token_endpoint_auth_method: 'client_secret_basic',
    })
    expect(made.client_id).not.toBe('console')
    expect(made.client_secret).not.toBe('chosen')
    expect(await clients(`id = $1 AND registered_by = 'client'`, [made.client_id])).toBe(1)
    expect(JSON.stringify(made)).not.toContain('account')
  })

  it('makes the service fetch nothing', async () => {
    const receiver = await openReceiver()
    const url = receiver.url()
    await registered({
      ...{
        logo_uri: url,
        client_uri: url,
        policy_uri: url,
        tos_uri: url,
        jwks_uri: url,
        request_uris: [url],
      },
      ...{ sector_identifier_uri: url, initiate_login_uri: url, software_statement: url },
    })
    expect(receiver.connections()).toBe(0)
    await receiver.close()
  })
})

describe('a redirect address', () => {
  it.each([
    'http://client.example/callback',
    'http://192.168.0.1/callback',
    'http://localhost.evil.example/callback',
    'http://127.0.0.1.evil.example/',
    'http://127.0.0.1@evil.example/',
    'http://evil.example#@127.0.0.1/',
    'http://[::ffff:7f00:1]/',
    'https://user:password@client.example/',
    'https://@client.example/',
    'https://client.example/#fragment',
    'https://client.example/#',
    'https://client.example\\@evil.example/',
    'https://client.example/call\tback',
    'https://client.example/call back',
    'https://clíent.example/',
    'https://client.example/"><script>',
    'https:client.example',
    'https:///client.example',
    'https://',
    '//client.example/',
    '/callback',
    '',
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    'data:text/html,x',
    'blob:https://client.example/x',
    'file:///etc/passwd',
    'vbscript:x',
    'view-source:https://client.example',
    'about:blank',
    'ws://127.0.0.1/',
    'COM.EXAMPLE:/cb',
    'https://client.example/*',
    `https://client.example/${'x'.repeat(2_048)}`,
  ])('%s is not taken', async (uri) => {
    // A star is a plain character, as it is in every path.
    if (uri.endsWith('/*')) return expect((await register({ redirect_uris: [uri] })).status).toBe(201)
    const answer = await register({ redirect_uris: [URI, uri] })
    expect([answer.status, (answer.json() as { error: string }).error]).toEqual([400, 'invalid_redirect_uri'])
  })
})

describe('a name', () => {
  const NOBODY = 'An application without a name'
  it.each<[string, string, string]>([
    ['turns the text round', 'Bank \u202Emoc.live\u202C', 'Bank moc.live'],
    ['isolates', '\u2066Bank\u2069', 'Bank'],
    ['has no width', 'Pay\u200Bpal\u2060', 'Pay pal'],
    ['is invisible', '\u3164\u115F\u1160\uFFA0', NOBODY],
    ['is blank', '\u2800 \u00A0\u3000\t', NOBODY],
    ['ends the line', 'Bank\n\r\u2028\u2029of you', 'Bank of you'],
    ['has a control character', 'Ba\0nk\x1b[31m', 'Ba nk [31m'],
    ['is private', '\uE000\u{F0000}', NOBODY],
    ['has tags', 'A\u{E0041}\u{E0042}', 'A'],
    ['piles up marks', `Z${'\u0335'.repeat(60)}o`, 'Z\u0335\u0335\u0335o'],
    ['is long', 'x'.repeat(1_000), 'x'.repeat(100)],
  ])('that %s is shown plainly', async (_what, client_name, shown) => {
    expect((await registered({ client_name })).client_name).toBe(shown)
  })

  it('is text on the page that asks, beside the host that it cannot choose', async () => {
    const { client_id } = await registered({
      client_name: '<b onclick="x">Pharos</b>&amp;\u202E',
      redirect_uris: ['https://evil.example/cb'],
    })
    const { url } = await authorizationRequest(
      scene.server,
      { client_id: String(client_id) },
      { redirect_uri: 'https://evil.example/cb' },
    )
    await authorize(scene)
    const page = await scene.browser.follow(await scene.browser.get(url))
    expect(page.text).toContain('&lt;b onclick=&quot;x&quot;&gt;Pharos&lt;/b&gt;&amp;amp;')
    expect(page.text).toContain('<strong>evil.example</strong>')
    expect(page.text).not.toContain('\u202E')
  })
})
