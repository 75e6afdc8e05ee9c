// What the page of the built-in receiver reads and says.
import { describe, expect, it } from 'vitest'
import { readContents, readReceiver } from '../../console-web/src/receiver/receiver.ts'
import {
  bodyText,
  bodyWords,
  reasonWords,
  secretWords,
  signatureWords,
  timesSeen,
} from '../../console-web/src/receiver/receiver_words.ts'

const request = (id: string, message: string, more: object = {}) => ({
  id,
  at: '2026-01-01T00:00:00.000Z',
  headers: [{ name: 'Webhook-Id', value: message }],
  ...more,
})
const read = (...requests: object[]) =>
  readContents(
    JSON.parse(JSON.stringify({ address: { token: 't', url: 'https://receiver.pharos.test/t' }, requests })),
  ).arrivals

describe('what arrived', () => {
  it('is counted by its event, so that a retry is seen as one', () => {
    const arrivals = read(request('4', 'a'), request('3', 'b'), request('2', 'a'), request('1', 'a'))
    expect(arrivals.map((_, at) => timesSeen(arrivals, at))).toEqual([3, 1, 2, 1])
  })

  it('without a webhook-id is not taken for a retry', () => {
    const arrivals = read(request('2', ''), request('1', ''))
    expect(arrivals.map((_, at) => timesSeen(arrivals, at))).toEqual([1, 1])
  })

  it('is said to be signed by as many keys as there are signatures', () => {
    const words = (...headers: object[]) => read(request('1', 'a', { headers })).map(signatureWords)[0]
    const signature = (value: string) => ({ name: 'Webhook-Signature', value })
    expect(words()).toBe('None.')
    expect(words(signature('v1,YQ=='))).toMatch(/^By 1 key \(v1\)/)
    expect(words(signature('v1,YQ== v1,Yg=='))).toMatch(/^By 2 keys \(v1\)/)
  })

  it('is shown as it came when it is no JSON, and claims nothing about a secret that it does not know', () => {
    const [arrival] = read(request('1', 'a', { body: '<xml>', secret: 'something new' }))
    expect(arrival && bodyText(arrival)).toBe('<xml>')
    expect(arrival && secretWords(arrival)).toMatch(/^Not compared/)
  })
})

describe('a body', () => {
  const words = (body: string, more: object) => read(request('1', 'a', { body, ...more })).map(bodyWords)

  const shown = (body: string) => read(request('1', 'a', { body })).map(bodyText)[0]

  it('is indented where it is JSON, with every value as it came', () => {
    const value = { a: [], b: {}, c: [1, { d: '[x, "y": {\\"]' }], e: null }
    for (const spaces of [0, 1, 2])
      expect(shown(JSON.stringify(value, null, spaces))).toBe(JSON.stringify(value, null, 2))
    expect(shown('{"n":12345678901234567890,"n":-0}')).toBe('{\n  "n": 12345678901234567890,\n  "n": -0\n}')
  })

  it('of many levels stays a text of its own size', () => {
    const deep = '['.repeat(8_000) + ']'.repeat(8_000)
    expect(shown(deep)?.length).toBeLessThan(1_000_000)
  })

  it('is said to be cut, or no text, where it is', () => {
    expect(words('{}', { body_bytes: 2, body_kept_bytes: 2 })).toEqual(['2 bytes'])
    expect(words('x', { body_bytes: 60_000, body_kept_bytes: 16_384 })).toEqual([
      '60,000 bytes, of which the first 16,384 are kept',
    ])
    expect(words('a\ufffd', { body_bytes: 2, body_kept_bytes: 2 })).toEqual([
      '2 bytes; what is no text is shown as \ufffd',
    ])
  })
})

describe('the receiver', () => {
  it('is on or off, and nothing else', () => {
    expect(readReceiver({ on: false, reason: 'host' })).toEqual({ on: false, reason: 'host' })
    const limits = { addresses: 3, requests: 50, hours: 24 }
    expect(readReceiver({ on: true, addresses: [], limits })).toEqual({ on: true, addresses: [], limits })
    for (const answer of [null, [], {}, { on: 'true' }, { on: true, limits, addresses: [{}] }, { on: true }])
      expect(() => readReceiver(answer)).toThrow('cannot read')
    expect(reasonWords('something new')).toBe('This server has none.')
  })
})
