// The watchers of beacons among the examples: what came while they were away is in their file, and a chain that was
// replaced is noticed.
import { appendFile, readFile, rm, stat, truncate } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { GO_BUILD_MS } from '../../support/go_program.ts'
import { makeTemporaryFolder } from '../../support/temporary_folder.ts'
import { testApp } from '../../support/test_app.ts'
import { type Ended, isHere, type Language, start } from './example.ts'

const WATCHERS: readonly (readonly [Language, file: string])[] = [
  ['python', 'beacon_watcher.py'],
  ['go', 'beacon_watcher.go'],
]

const app = testApp()
let folder = ''
beforeEach(async () => {
  folder = await makeTemporaryFolder('pharos-example-')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const watchOnce = async (
  language: Language,
  file: string,
  { url = app.base, key = app.owner.key }: { readonly url?: string; readonly key?: string | undefined } = {},
): Promise<Ended> => {
  const args = ['--once', 'beacons.jsonl']
  const env = { PHAROS_URL: url, PHAROS_API_KEY: key }
  return (await start(language, file, { folder, args, env })).ended
}

interface Kept {
  readonly id: string
  readonly hash: string
  readonly previous_hash: string
  readonly timestamp: string
}

const place = (): string => join(folder, 'beacons.jsonl')
const kept = async (): Promise<Kept[]> =>
  (await readFile(place(), 'utf8'))
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
const made = async (): Promise<string[]> =>
  (
    await app.query<{ hash: string }>(`SELECT encode(block_hash, 'hex') AS hash FROM blocks ORDER BY height`)
  ).map(({ hash }) => hash)

it.each(WATCHERS)(
  'the watcher in %s keeps every beacon, and notices one that does not continue',
  { timeout: GO_BUILD_MS },
  async (language, file) => {
    if (!isHere(language, file)) return
    const watch = (key?: string) => watchOnce(language, file, { key })
    await app.finalize(3)
    const first = await watch()
    expect(first).toMatchObject({ code: 0, err: '' })
    expect((await kept()).map(({ hash }) => hash)).toEqual(await made())
    const [beacon] = await kept()
    expect(first.out.split(/\r?\n/)[0]).toBe(`${beacon?.timestamp} ${beacon?.hash}`)

    await app.finalize(2)
    expect((await watch()).out.trim().split(/\r?\n/)).toHaveLength(2)
    expect((await kept()).map(({ hash }) => hash)).toEqual(await made())
    expect(await watch()).toEqual({ code: 0, out: '', err: '' })

    expect(await watch('phk_wrong')).toMatchObject({ code: 2, err: expect.stringContaining('401') })
    expect((await kept()).length).toBe((await made()).length)

    // What a chain that was replaced looks like to who saw the former one.
    const last = (await kept()).at(-1)
    await appendFile(place(), `${JSON.stringify({ ...last, hash: 'ab'.repeat(32) })}\n`)
    await app.finalize()
    const replaced = await watch()
    expect(replaced).toMatchObject({
      code: 1,
      err: expect.stringContaining(`does not continue ${last?.id}.`),
    })
  },
)

it.each(WATCHERS)(
  'the watcher in %s goes on in front of a line that it was killed in, and has every beacon once',
  { timeout: GO_BUILD_MS },
  async (language, file) => {
    if (!isHere(language, file)) return
    await app.finalize(3)
    expect(await watchOnce(language, file)).toMatchObject({ code: 0 })
    const { size } = await stat(place())
    // Without its last letters, and without its end alone.
    for (const cut of [9, 1]) {
      await truncate(place(), size - cut)
      expect(await watchOnce(language, file)).toMatchObject({ code: 0, err: '' })
      expect((await kept()).map(({ hash }) => hash)).toEqual(await made())
    }
    await appendFile(place(), '{')
    await app.finalize()
    expect(await watchOnce(language, file)).toMatchObject({ code: 0, err: '' })
    expect((await kept()).map(({ hash }) => hash)).toEqual(await made())
    // Of the first line, so that there is no whole one.
    await truncate(place(), 9)
    expect(await watchOnce(language, file)).toMatchObject({ code: 0, err: '' })
    expect((await kept()).map(({ hash }) => hash)).toEqual(await made())
  },
)

it.each(WATCHERS)(
  'the watcher in %s takes an answer that breaks off for none, and not for a chain that was replaced',
  { timeout: GO_BUILD_MS },
  async (language, file) => {
    if (!isHere(language, file)) return
    const breaks: readonly RequestListener[] = [
      (request) => void request.socket.destroy(),
      (_, response) => {
        response.writeHead(200, { 'content-length': '99' })
        response.write('{"data":[', () => void response.destroy())
      },
      (_, response) => void response.end('{"data":['),
      (_, response) => void response.end('<html>Back soon.</html>'),
    ]
    for (const listener of breaks) {
      const server = createServer(listener)
      await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening))
      const bound = server.address()
      const port = typeof bound === 'object' && bound !== null ? bound.port : 0
      const ended = await watchOnce(language, file, { url: `http://127.0.0.1:${port}` })
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
      expect(ended).toMatchObject({ code: 2, err: expect.stringContaining('did not answer with beacons') })
    }
  },
)
