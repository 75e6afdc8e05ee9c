// Answers to reads are compressed for those who take that. Answers to writes may show a secret, and never are.
import { request } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { beforeAll, expect, it } from 'vitest'
import { testApp } from '../../support/test_app.ts'
import { itemBody } from './item_documents.ts'

const app = testApp()
beforeAll(async () => {
  await app.finalize(8)
})

interface Received {
  readonly status: number
  readonly headers: NodeJS.Dict<string | string[]>
  readonly bytes: Buffer
}

/** Asks as written, and decodes nothing. */
function receive(
  path: string,
  { method = 'GET', body, ...headers }: Record<string, string> & { method?: string; body?: string } = {},
): Promise<Received> {
  const { promise, resolve, reject } = Promise.withResolvers<Received>()
  const asked = request(
    {
      port: app.port,
      host: '127.0.0.1',
      path,
      method,
      headers: { ...headers, authorization: `Bearer ${app.owner.key}` },
    },
    (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const { statusCode = 0 } = response
        resolve({ status: statusCode, headers: response.headers, bytes: Buffer.concat(chunks) })
      })
    },
  )
  asked.on('error', reject)
  asked.end(body)
  return promise
}

const LIST = '/api/json/blocks?page[limit]=8'

it.each([
  ['br', brotliDecompressSync],
  ['gzip', gunzipSync],
])(
  'a list is sent as %s, byte for byte the same, with its length, and HEAD as GET',
  async (coding, decode) => {
    const plain = await receive(LIST)
    const coded = await receive(LIST, { 'accept-encoding': coding })
    expect(plain.headers).not.toHaveProperty('content-encoding')
    expect(coded.headers).toMatchObject({
      'content-encoding': coding,
      'content-length': String(coded.bytes.length),
      'content-type': 'application/vnd.api+json',
      vary: 'Accept, Accept-Encoding',
    })
    expect(coded.bytes.length).toBeLessThan(plain.bytes.length / 2)
    expect(decode(coded.bytes).equals(plain.bytes)).toBe(true)
    const head = await receive(LIST, { method: 'HEAD', 'accept-encoding': coding })
    expect([head.headers['content-length'], head.bytes.length]).toEqual([String(coded.bytes.length), 0])
  },
)

it('a short answer is sent as it is', async () => {
  const { headers } = await receive('/api/json/beacons/latest', { 'accept-encoding': 'br, gzip' })
  expect(headers).not.toHaveProperty('content-encoding')
})

/** Its answer is longer than what is sent as it is. */
async function createItem(): Promise<Received> {
  const body = JSON.stringify(
    itemBody({ tags: Array.from({ length: 20 }, (_, at) => `a tag that is long enough, ${at}`) }).json,
  )
  return receive('/api/json/items', {
    ...{ method: 'POST', body, 'accept-encoding': 'br, gzip' },
    'content-type': 'application/vnd.api+json',
    'content-length': String(Buffer.byteLength(body)),
  })
}

it('an answer to a write and a refusal are sent as they are', async () => {
  const { status, headers, bytes } = await createItem()
  expect([status, headers['content-encoding']]).toEqual([201, undefined])
  expect(bytes.length).toBeGreaterThan(1_024)
  const refused = await receive(`/api/json/items?filter[${'x'.repeat(2_000)}]=1`, { 'accept-encoding': 'br' })
  expect([refused.status, refused.headers['content-encoding']]).toEqual([400, undefined])
})

it('each form of a record has a validator of its own', async () => {
  const { data } = JSON.parse((await createItem()).bytes.toString())
  const path = `/api/json/items/${data.id}`
  const forms = await Promise.all(
    ['identity', 'gzip', 'br'].map((coding) => receive(path, { 'accept-encoding': coding })),
  )
  const tags = forms.map(({ headers }) => String(headers.etag))
  expect(new Set(tags).size).toBe(3)
  const [, gzip = '', br = ''] = tags
  expect((await receive(path, { 'accept-encoding': 'br', 'if-none-match': br })).status).toBe(304)
  expect((await receive(path, { 'accept-encoding': 'br', 'if-none-match': gzip })).status).toBe(200)
})
