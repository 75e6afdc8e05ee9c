// `pharos api`, against the real service: any request, whole answers, and nobody else gets the credential.

import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openAnsweringServer } from '../support/answering_server.ts'
import { freePort } from '../support/free_port.ts'
import { ask } from '../support/http.ts'
import { claimsOf } from '../support/ledger.ts'
import { testApp } from '../support/test_app.ts'
import { type Desk, openDesk, type RunOptions } from './run_pharos.ts'

const app = testApp()
let desk: Desk
beforeEach(async () => {
  desk = await openDesk()
})
afterEach(() => desk.clear())

const env = () => ({ PHAROS_URL: app.base, PHAROS_API_KEY: app.owner.key })
const api = (...args: string[]) => desk.pharos(['api', ...args], { env: env() })
/** Of another service, whose key is known. */
const apiAt = (url: string, ...args: string[]) =>
  desk.pharos(['api', ...args], { env: { ...env(), PHAROS_URL: url } })
const apiWith = (input: RunOptions['input'] = '', ...args: string[]) =>
  desk.pharos(['api', ...args], { env: env(), input })

const CREATE = [
  ...['POST', 'items', '--field', 'data[type]=item', '--field', 'data[attributes][claims][name]=Paper'],
  ...[
    '-F',
    `data[attributes][claims][hash]=${'ab'.repeat(32)}`,
    '-F',
    'data[attributes][claims][hash_type]=sha256',
  ],
  ...['-F', 'data[attributes][tags][]=one', '-F', 'data[attributes][tags][]=two'],
]

describe('pharos api', { timeout: 120_000 }, () => {
  it('prints what the service answers, byte for byte, of any path', async () => {
    const latest = await ask(app.port, '/api/json/beacons/latest', { key: app.owner.key })
    expect(await api('GET', 'beacons/latest')).toEqual({ code: 0, out: latest.text, err: '' })
    expect((await api('get', '/api/json/beacons/latest')).out).toBe(latest.text)
    expect(await api('GET', 'beacons/latest', '-q')).toEqual({ code: 0, out: '', err: '' })
    expect(await api('GET', 'blocks', '--paginate', '--quiet')).toEqual({ code: 0, out: '', err: '' })
    const checkpoint = await ask(app.port, '/log/checkpoint', { key: app.owner.key })
    expect((await api('GET', '/log/checkpoint')).out.split('\n')[0]).toBe(checkpoint.text.split('\n')[0])
  })

  it('sends fields as members of JSON, and those of GET in the address', async () => {
    const made = await api(...CREATE)
    expect(made.code, made.err).toBe(0)
    const { id, attributes } = JSON.parse(made.out).data
    expect(attributes).toMatchObject({ claims: { name: 'Paper' }, tags: ['one', 'two'], state: 'created' })
    const changed = await api(
      ...['PATCH', `items/${id}`, '--field', 'data[type]=item', '--raw-field', `data[id]=${id}`],
      ...['--field', 'data[attributes][redacted]=true'],
    )
    expect(JSON.parse(changed.out)).toMatchObject({
      data: { attributes: { state: 'redacted', claims: null } },
    })
    const found = await api(
      'GET',
      'items?sort=-inserted_at',
      '--field',
      'filter[tags][has]=two',
      '-F',
      'page[limit]=1',
    )
    expect(JSON.parse(found.out)).toMatchObject({ data: [{ id }], meta: { page: { limit: 1 } } })
    const hashed = await api('POST', 'utilities/server-time', '--field', 'data[time_zone]=Europe/Amsterdam')
    expect(JSON.parse(hashed.out)).toMatchObject({ result: { time_zone: 'Europe/Amsterdam' } })
    const asked = await api(
      'POST',
      '/gql',
      '--field',
      'query=query ($first: Int!) { listItems(first: $first) { results { id } } }',
      '-F',
      'variables[first]=1',
    )
    expect(JSON.parse(asked.out)).toEqual({ data: { listItems: { results: [{ id }] } } })
  })

  it('takes a value or the whole body from a file or from standard input', async () => {
    await desk.put('name.txt', 'From a file')
    const fields = [
      'POST',
      'items',
      '--field',
      'data[type]=item',
      '--field',
      'data[attributes][claims][name]=@name.txt',
    ]
    const taken = await api(...fields, '-F', 'data[attributes][claims][metadata][n]=1')
    expect(JSON.parse(taken.out).data.attributes.claims).toEqual({ name: 'From a file', metadata: { n: 1 } })
    const body = JSON.stringify({ data: { type: 'item', attributes: { claims: claimsOf('whole') } } })
    const made = await apiWith(body, 'POST', 'items', '--input', '-', '--header', 'Idempotency-Key: 4711')
    const again = await apiWith(body, 'POST', 'items', '--input', '-', '--header', 'Idempotency-Key: 4711')
    expect(JSON.parse(again.out).data.id).toBe(JSON.parse(made.out).data.id)
  })

  it('sends each value as what it looks like, and a raw one as it is', async () => {
    const seen: { headers: unknown; body: string }[] = []
    const server = createServer(async (request, response) => {
      const parts: Buffer[] = []
      for await (const part of request) parts.push(part)
      seen.push({ headers: request.headers, body: Buffer.concat(parts).toString() })
      response.end('{}')
    })
    await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening))
    const bound = server.address()
    const url = `http://127.0.0.1:${typeof bound === 'object' && bound !== null ? bound.port : 0}`
    const ran = await apiAt(
      url,
      ...['POST', '/x', '-F', 'a=true', '-F', 'b=null', '-F', 'c=-12', '-F', 'd=007'],
      ...[
        '-F',
        'e=12345678901234567890',
        '-F',
        'f[g][]=1',
        '-F',
        'f[g][]=x',
        '-f',
        'h=false',
        '-F',
        '__proto__=y',
      ],
    )
    server.close()
    expect(ran.code, ran.err).toBe(0)
    expect(seen).toEqual([
      {
        headers: expect.objectContaining({ 'content-type': 'application/json' }),
        body: '{"a":true,"b":null,"c":-12,"d":"007","e":12345678901234567890,"f":{"g":[1,"x"]},"__proto__":"y","h":"false"}',
      },
    ])
  })

  it('follows the pages of a list, a line each, and waits where the service asks for a pause', async () => {
    await app.finalize(7)
    const { out, code } = await api(
      'GET',
      'blocks',
      '--field',
      'page[limit]=3',
      '-F',
      'sort=height',
      '--paginate',
    )
    expect(code).toBe(0)
    const heights = out
      .trimEnd()
      .split('\n')
      .flatMap((line) =>
        (JSON.parse(line).data as { attributes: { height: number } }[]).map(
          ({ attributes }) => attributes.height,
        ),
      )
    expect(heights).toEqual(heights.map((_, at) => at))
    expect(heights.length).toBeGreaterThanOrEqual(8)
    const server = await openAnsweringServer()
    let refused = 0
    const page = (next: string | null) => JSON.stringify({ data: [], links: { next } })
    server.answers.set('/api/json/items', page('https://pharos.example/api/json/items?page%5Bafter%5D=x'))
    server.answers.set('/api/json/items?page%5Bafter%5D=x', (_, response) => {
      refused += 1
      if (refused === 1) response.writeHead(429, { 'retry-after': '1' }).end('{}')
      else response.end(page(null))
    })
    const paced = await apiAt(server.address, 'GET', 'items', '--paginate')
    await server.close()
    expect([paced.code, paced.out.split('\n').length, refused]).toEqual([0, 3, 2])
    expect(paced.err).toMatch(/Asking again in \d s\./)
  })

  it('ends when nobody is there, before a first page', async () => {
    const address = `http://127.0.0.1:${await freePort()}`
    const nobody = await apiAt(address, 'GET', 'items', '--paginate')
    expect(nobody).toMatchObject({ code: 2, out: '', err: expect.stringContaining('cannot be reached') })
    const listed = await desk.pharos(['ls'], { env: { ...env(), PHAROS_URL: address } })
    expect(listed).toMatchObject({ code: 2, out: '', err: expect.stringContaining('cannot be reached') })
  })

  it('prints a no, too, and says what it means', async () => {
    const missing = await api('GET', 'items/01MB78W7FGY7TZHKNWE7WA3Z57')
    expect(missing.code).toBe(1)
    expect(JSON.parse(missing.out)).toMatchObject({ errors: [{ code: 'not_found', status: '404' }] })
    expect(missing.err).toContain('refused (not_found)')
    const anonymous = await desk.pharos(['api', 'GET', 'items'], {
      env: { ...env(), PHAROS_API_KEY: 'phk_wrong' },
    })
    expect(anonymous.code).toBe(4)
    expect(await desk.pharos(['api', 'GET', 'items'], { env: { PHAROS_URL: app.base } })).toMatchObject({
      code: 4,
    })
  })

  it('gives the credential to nobody else, and takes none as a word', async () => {
    const server = await openAnsweringServer()
    const { host } = new URL(server.address)
    for (const path of [server.address, `//${host}/api/json/items`, `/\\${host}/x`, `http:${host}`])
      expect(await api('GET', path), path).toMatchObject({ code: 2, out: '' })
    expect(server.asked).toEqual([])
    await server.close()
    expect(await api('GET', 'items', '-H', 'Authorization: Bearer x')).toMatchObject({ code: 2, out: '' })
  })

  it('ends with 2 when it is wrongly asked', async () => {
    for (const args of [
      [],
      ['GET'],
      ['PUT', 'items'],
      ['GET', 'items', 'more'],
      ['POST', 'items', '--paginate'],
      ['POST', 'items', '-F', 'novalue'],
      ['POST', 'items', '-F', 'a[=1'],
      ['POST', 'items', '-F', 'a=1', '-F', 'a[b]=2'],
      ['POST', 'items', '-F', 'a=@nothing-there'],
      ['GET', 'items', '-H', 'no header'],
    ])
      expect(await api(...args), args.join(' ')).toMatchObject({ code: 2, out: '' })
    expect(await readFile(join(desk.folder, 'pharos.mjs'))).toBeDefined()
  })

  it('says what cannot be sent, instead of that nobody answers', async () => {
    await desk.put('body.json', '{}')
    for (const [args, words] of [
      [['GET', 'items', '--input', 'body.json'], 'GET sends no body'],
      [['GET', 'items', '--tenant', '日本'], '--tenant'],
      [['POST', 'utilities/hash', '-F', 'a=1', '-H', 'Expect: x'], 'cannot be sent'],
    ] as const) {
      const ran = await api(...args)
      expect(ran, args.join(' ')).toMatchObject({ code: 2, out: '', err: expect.stringContaining(words) })
      expect(ran.err).not.toContain('cannot be reached')
    }
  })
})
