// What every entropy source keeps: it reads its service's real answers, and nothing else gets through as a reading.
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readSource, SOURCE_CHOICES, SOURCES, SourceFailed } from '../../server/domain/entropy/source.ts'
import {
  canonicalJson,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../shared/proof/json_value.ts'
import type { Lookups } from '../../shared/proof/lookups/lookup.ts'
import {
  confirmEntropy,
  ENTROPY_READERS,
  entropyQuestion,
} from '../../shared/proof/verify/entropy_readers.ts'
import { type AnsweringServer, openAnsweringServer } from '../support/answering_server.ts'
import { nistAnswers } from '../support/entropy_answers.ts'
import { SOURCE_CASES } from '../support/source_cases.ts'

let server: AnsweringServer
beforeEach(async () => {
  server = await openAnsweringServer()
})
afterEach(() => server.close())

describe.each(SOURCE_CHOICES)('the source %s', (choice) => {
  const { told, members, number, notCompared } = SOURCE_CASES[choice]
  const { document } = told
  const read = (address = server.address, timeoutMs = 20_000) =>
    readSource({ source: SOURCES[choice], address }, { timeoutMs })
  const tell = (body: string | Uint8Array): void => {
    for (const [path, answer] of told.answers) server.answers.set(path, answer)
    server.answers.set(document.path, body)
  }
  const refusal = (reason: string) => expect.objectContaining({ name: 'SourceFailed', reason })

  it('gives the payload as printed, the time of publication, and asks nothing besides', async () => {
    tell(JSON.stringify(document.body))
    expect(await read()).toEqual({ payload: told.payload, publishedAt: new Date(told.publishedAt) })
    expect(server.asked).toEqual(told.answers.map(([path]) => path))
  })

  it('gives the same payload whatever else the answer holds, however it is laid out', async () => {
    tell(`\n${JSON.stringify(document.body, null, 3)}\r\n`)
    const once = await read()
    tell(JSON.stringify(document.body).replace('{', '{"more":[12345678901234567890,{}],'))
    expect(canonicalJson((await read()).payload)).toBe(canonicalJson(once.payload))
  })

  it.each(Object.entries(members))('refuses an answer whose %s is missing or wrong', async (path, wrong) => {
    for (const value of [undefined, ...wrong]) {
      tell(JSON.stringify(withMember(document.body, path.split('.'), value)))
      await expect(read(), JSON.stringify(value)).rejects.toEqual(refusal('bad_answer'))
    }
  })

  it('refuses a number that a double cannot hold', async () => {
    for (const digits of ['9007199254740992', '18446744073709551617', '1e400', '1e16']) {
      tell(JSON.stringify(document.body).replace(new RegExp(`("${number}":)\\d+`), `$1${digits}`))
      await expect(read(), digits).rejects.toEqual(refusal('bad_answer'))
    }
  })

  it('refuses what is not strict JSON', async () => {
    const text = JSON.stringify(document.body)
    const bodies = [
      '',
      '<html>Service Unavailable</html>',
      'null',
      '[]',
      `${text}${text}`,
      text.slice(0, -1),
      `\ufeff${text}`,
      text.replace(/("\w+":)(\d+)/, '$1$2,$1$2'),
      text.replace('{', '{"a":"\\ud800",'),
      text.replace('{', `{"a":${'['.repeat(70)}${']'.repeat(70)},`),
      Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff]), Buffer.from(`",${text.slice(1)}`)]),
    ]
    for (const [index, body] of bodies.entries()) {
      tell(body)
      await expect(read(), `body ${index}`).rejects.toEqual(refusal('bad_answer'))
    }
  })

  it('has a question to its service, which confirms the payload, and no other one', async () => {
    const { place, path, body } = told.lookup
    const lookups: Lookups = {
      ask: async (...asked) =>
        asked.join() === [place, path].join() ? { outcome: 'found', value: body } : { outcome: 'absent' },
    }
    const name = `entropy_${choice}` as const
    const { publishedAt, question } = ENTROPY_READERS[name]
    expect(publishedAt(told.payload), 'publishedAt').toBe(Date.parse(told.publishedAt))
    expect(
      question(told.payload, 'public'),
      'the question in shared/proof/verify/entropy_readers.ts',
    ).toBeDefined()
    const isConfirmed = async (payload: JsonObject) =>
      (await confirmEntropy(lookups, name, entropyQuestion(name, payload, 'public'))).isConfirmed
    expect(await isConfirmed(told.payload)).toBe(true)
    for (const [at, payload] of changedOnce(told.payload))
      expect([at, await isConfirmed(payload)]).toEqual([at, at === notCompared])
  })

  it('never fails but as a source, whatever stands in the place of a member', async () => {
    const paths = Object.keys(members)
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...paths), fc.jsonValue(), async (path, value) => {
        tell(JSON.stringify(withMember(document.body, path.split('.'), value)))
        const outcome = await read().catch((error: unknown) => error)
        if (outcome instanceof SourceFailed) expect(outcome.reason).toBe('bad_answer')
        else expect(outcome).toHaveProperty('publishedAt', expect.any(Date))
      }),
      { numRuns: 60 },
    )
  })

  it.each([301, 302, 307, 308])('does not follow a redirect (%i)', async (status) => {
    const elsewhere = await openAnsweringServer()
    for (const [path] of told.answers)
      server.answers.set(path, (_, response) =>
        response.writeHead(status, { location: `${elsewhere.address}${path}` }).end(),
      )
    await expect(read()).rejects.toEqual(refusal('bad_status'))
    expect(elsewhere.asked).toEqual([])
    await elsewhere.close()
  })

  it.each([204, 206, 404, 429, 500, 503])(
    'takes a %i for no answer, whatever its body says',
    async (status) => {
      tell(JSON.stringify(document.body))
      server.answers.set(document.path, (_, response) =>
        response.writeHead(status).end(status === 204 ? undefined : JSON.stringify(document.body)),
      )
      await expect(read()).rejects.toEqual(refusal('bad_status'))
    },
  )

  it('gives up on a source that says nothing, and on one that never comes to an end', async () => {
    for (const answer of ['nothing', 'drops'] as const) {
      for (const [path] of told.answers)
        server.answers.set(path, (_, response) => {
          if (answer === 'nothing') return
          response.write('{"a":"')
          const drip = setInterval(() => response.write('x'), 20)
          response.on('close', () => clearInterval(drip))
        })
      await expect(read(server.address, 300), answer).rejects.toEqual(refusal('timeout'))
    }
  })

  it('stops reading at a mebibyte', async () => {
    for (const [path] of told.answers)
      server.answers.set(path, (_, response) => {
        const more = (): void => {
          while (!response.destroyed && response.write('x'.repeat(65_536)));
        }
        response.on('drain', more)
        more()
      })
    await expect(read()).rejects.toEqual(refusal('too_large'))
  })

  it('says of one that is not there, or breaks off, that it could not be reached', async () => {
    for (const [path] of told.answers)
      server.answers.set(path, (request, response) => {
        response.writeHead(200, { 'content-length': '1000' }).write('{')
        setTimeout(() => request.socket.destroy(), 10)
      })
    await expect(read()).rejects.toEqual(refusal('unreachable'))
    const gone = await openAnsweringServer()
    await gone.close()
    await expect(read(gone.address)).rejects.toEqual(refusal('unreachable'))
  })
})

describe('the source bitcoin', () => {
  it('asks for no block by anything but a hash', async () => {
    for (const tip of ['', '../../etc', 'AB'.repeat(32), 'ab'.repeat(31), `${'ab'.repeat(32)}?x=`, '"ab"']) {
      server.answers.set('/blocks/tip/hash', tip)
      server.asked.length = 0
      const reading = readSource({ source: SOURCES.bitcoin, address: server.address })
      await expect(reading).rejects.toMatchObject({ reason: 'bad_answer' })
      expect(server.asked).toEqual(['/blocks/tip/hash'])
    }
  })
})

describe('the source nist', () => {
  it('keeps the case the output value is printed in, and the fraction of its time', async () => {
    const { payload } = nistAnswers()
    const text = JSON.stringify(nistAnswers().document.body)
    const lower = text.replace(/"outputValue":"\w+"/, (member) =>
      member.replace(/[A-F]/g, (digit) => digit.toLowerCase()),
    )
    server.answers.set('/pulse/last', lower.replace('00:00:00.000Z', '01:00:00+01:00'))
    const reading = await readSource({ source: SOURCES.nist, address: server.address })
    expect(JSON.stringify(reading.payload)).toBe(
      canonicalJson(payload)
        .replace(/"outputValue":"\w+"/, (member) => member.replace(/[A-F]/g, (digit) => digit.toLowerCase()))
        .replace('00:00:00.000Z', '01:00:00+01:00'),
    )
    expect(reading.publishedAt).toEqual(new Date('2025-01-01T00:00:00Z'))
  })
})

/** The payload with one value changed, for each of its values. */
const changedOnce = (payload: JsonObject): [at: string, changed: JsonObject][] =>
  Object.entries(payload).flatMap(([name, value]): [string, JsonObject][] =>
    isJsonObject(value)
      ? changedOnce(value).map(([at, inner]) => [`${name}.${at}`, { ...payload, [name]: inner }])
      : [[name, { ...payload, [name]: otherThan(value) }]],
  )

const otherThan = (value: JsonValue): JsonValue =>
  typeof value === 'number'
    ? value + 1
    : String(value).replace(/[0-9a-f]/i, (digit) => (digit === '1' ? '2' : '1'))

/** A copy whose member at this path is another; undefined takes it away. */
function withMember(body: unknown, [name = '', ...rest]: readonly string[], value: unknown): unknown {
  const copy: unknown = structuredClone(body)
  if (typeof copy !== 'object' || copy === null) return copy
  const inner: unknown = Reflect.get(copy, name)
  Reflect.set(copy, name, rest.length === 0 ? value : withMember(inner, rest, value))
  return copy
}
