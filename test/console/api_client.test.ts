// The page's requests: what a lost connection is, and what an answer is that nobody can read.
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { apiClient } from '../../console-web/src/data/api_client.ts'
import { isTransient, waitWords } from '../../console-web/src/data/api_failure.ts'
import { keyCredential } from '../../console-web/src/data/credential.ts'

let server: Server | undefined
afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

/** Asks a server that answers like this. */
async function failureOf(answer: RequestListener): Promise<unknown> {
  server = createServer(answer)
  await new Promise<void>((resolve) => void server?.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const api = apiClient({ credential: keyCredential('phk_x') })
  return api.get(`http://127.0.0.1:${port}/api/json/items`).catch((error: unknown) => error)
}

it.each([
  ['with a length', (size: number) => ({ 'content-length': String(size) })],
  ['in chunks', () => ({})],
])(
  'an answer %s that is cut in the middle is a lost connection, which is tried again',
  async (_, headers) => {
    const failure = await failureOf((_request, response) => {
      response.writeHead(200, headers(1_000))
      response.write('{"data": [', () => response.destroy())
    })
    expect(failure).toMatchObject({ kind: 'unreachable', message: expect.stringMatching(/in the middle/) })
    expect(isTransient(failure)).toBe(true)
  },
)

it('a refusal is told as a sentence', async () => {
  const failure = await failureOf((_request, response) => {
    response.writeHead(409).end('{"errors":[{"code":"conflict","detail":"a team always keeps one owner"}]}')
  })
  expect(failure).toMatchObject({ message: 'A team always keeps one owner.' })
})

it('a page that asked too often says how long it waits, and asks nothing meanwhile', async () => {
  let asked = 0
  const failure = await failureOf((_request, response) => {
    asked += 1
    response.writeHead(429, { 'retry-after': '2' }).end()
  })
  expect([asked, failure]).toMatchObject([
    1,
    { kind: 'rate_limited', retryAfterMs: 2_000, message: 'Waiting 2 s, as the server asked.' },
  ])
  // The rest of a second is one more.
  expect(waitWords(2_001)).toBe('Waiting 3 s, as the server asked.')
})

it('an answer that is whole and is no JSON is not tried again', async () => {
  const failure = await failureOf((_request, response) => response.end('{"data": ['))
  expect(failure).toMatchObject({ kind: 'unreadable' })
  expect(isTransient(failure)).toBe(false)
})
