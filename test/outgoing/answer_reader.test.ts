// An answer is read alike however the network cuts it, and a connection is used again only after a clear end.
import { describe, expect, it } from 'vitest'
import { answerReader } from '../../server/outgoing/answer_reader.ts'

/** Reads the text in pieces of this size. */
function read(text: string, size = text.length) {
  const reader = answerReader()
  const bytes = Buffer.from(text, 'latin1')
  let isDone = false
  for (let at = 0; at < bytes.length && !isDone; at += size)
    isDone = reader.take(bytes.subarray(at, at + size))
  const answer = reader.answer()
  return {
    isDone,
    status: answer?.status,
    body: answer?.body.toString('latin1'),
    answer,
    keptMs: reader.keptMs(),
  }
}

const OK = 'HTTP/1.1 200 OK\r\n'
const WHOLE = {
  length: [`${OK}Content-Length: 5\r\n\r\nhello`, 200, 'hello', 4_000],
  chunks: [
    `${OK}Transfer-Encoding: chunked\r\n\r\n3;a=b\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n`,
    200,
    'hello',
    4_000,
  ],
  trailers: [`${OK}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nA: b\r\n\r\n`, 200, 'hello', 0],
  'no content': ['HTTP/1.1 204 No Content\r\n\r\n', 204, '', 4_000],
  hints: [`HTTP/1.1 103 Hints\r\nLink: x\r\n\r\n${OK}Content-Length: 0\r\n\r\n`, 200, '', 4_000],
  'empty lines': [`\r\n\r\n${OK}Content-Length: 0\r\n\r\n`, 200, '', 4_000],
  'a continued field': [`${OK}X: a\r\n b\r\nContent-Length: 0\r\n\r\n`, 200, '', 4_000],
  'no reason': ['HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n', 200, '', 4_000],
  close: [`${OK}Connection: close\r\nContent-Length: 0\r\n\r\n`, 200, '', 0],
  'a short keep-alive': [`${OK}Keep-Alive: timeout=2, max=5\r\nContent-Length: 0\r\n\r\n`, 200, '', 1_000],
  'version 1.0': ['HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n', 200, '', 0],
  'another protocol': ['HTTP/1.1 101 Go\r\nUpgrade: x\r\n\r\n', 101, '', 0],
} as const

describe.each([1, 2, 7, 1_000])('in pieces of %i bytes', (size) => {
  it.each(Object.entries(WHOLE))('%s', (_, [text, status, body, keptMs]) => {
    expect(read(text, size)).toMatchObject({ isDone: true, status, body, keptMs })
  })

  it.each([
    ['a chunk of no size', `${OK}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nxyz\r\n`],
    [
      'a chunk that is longer than it says',
      `${OK}Transfer-Encoding: chunked\r\n\r\n5\r\nhello!\r\n0\r\n\r\n`,
    ],
  ])('%s ends the body, not the answer, and the connection', (_, text) => {
    expect(read(text, size)).toMatchObject({ isDone: true, status: 200, body: 'hello', keptMs: 0 })
  })
})

it('a body without a length ends with the connection', () => {
  expect(read(`${OK}\r\nhello`)).toMatchObject({ isDone: false, status: 200, body: 'hello', keptMs: 0 })
})

it('what follows an answer is not read, and the connection is not used again', () => {
  const text = WHOLE.length[0]
  expect(read(text + text)).toMatchObject({ isDone: true, status: 200, body: 'hello', keptMs: 0 })
})

it('the first of several fields counts', () => {
  const { answer } = read('HTTP/1.1 429 No\r\nRetry-After: 5\r\nRetry-After: 9\r\nContent-Length: 0\r\n\r\n')
  expect(answer).toMatchObject({ status: 429, retryAfter: '5' })
})

it.each([
  ['both lengths', 'Content-Length: 5\r\nTransfer-Encoding: chunked', 'the answer says twice how long it is'],
  ['a space before the colon', 'X : a', 'the answer has a broken header'],
  ['a zero byte', 'X: a\0b', 'the answer has a broken header'],
  ['a huge length', `Content-Length: ${'9'.repeat(20)}`, 'the answer has a broken Content-Length'],
])('%s is no answer', (_, fields, words) => {
  expect(() => read(`${OK}${fields}\r\n\r\n`)).toThrow(words)
})

it('a line that ends without its return is broken', () => {
  expect(() => read('HTTP/1.1 200 OK\nContent-Length: 0\n\n')).toThrow('the answer has a broken line end')
})

it('a field that is full of blanks costs little', () => {
  const before = process.threadCpuUsage()
  for (let times = 0; times < 20; times += 1)
    read(`${OK}X: a${' '.repeat(16_000)}b\r\nContent-Length: 0\r\n\r\n`)
  const { user, system } = process.threadCpuUsage(before)
  // Microseconds. A pattern that looks for the last blanks takes 2,000,000.
  expect(user + system).toBeLessThan(400_000)
})
