// The endless answers that a receiver may send. Used by the thread that sends them, and by the test that
// states how each ends.

export interface Flood {
  readonly begin: string
  /** Sent again and again, `times` copies in one piece. */
  readonly more: string
  readonly times: number
}

const OK = 'HTTP/1.1 200 OK\r\n'
const CHUNKED = `${OK}Transfer-Encoding: chunked\r\n\r\n`
const LONG = `${OK}Content-Length: 1000000000\r\n\r\n`

export const FLOODS = {
  'early hints': { begin: '', more: 'HTTP/1.1 103 Early Hints\r\n\r\n', times: 600 },
  'short continues': { begin: '', more: 'HTTP/1.1 100 \r\n\r\n', times: 900 },
  'early hints full of links': {
    begin: '',
    more: `HTTP/1.1 103 Early Hints\r\nLink: <${'x'.repeat(15_000)}>\r\n\r\n`,
    times: 1,
  },
  'empty lines first': { begin: '', more: '\r\n', times: 8_000 },
  'a reason': { begin: 'HTTP/1.1 200 ', more: 'because ', times: 2_000 },
  'header fields': { begin: OK, more: 'X-A: b\r\n', times: 2_000 },
  'a header field byte by byte': { begin: `${OK}X-A: `, more: 'b', times: 1 },
  'a body': { begin: LONG, more: 'x', times: 16_384 },
  'a body byte by byte': { begin: LONG, more: 'x', times: 1 },
  'chunks of a byte': { begin: CHUNKED, more: '1\r\nx\r\n', times: 2_700 },
  'chunk extensions': { begin: `${CHUNKED}1;a=`, more: 'x', times: 16_384 },
  trailers: { begin: `${CHUNKED}0\r\n`, more: 'X-A: b\r\n', times: 2_000 },
  'answers after the answer': { begin: '', more: `${OK}Content-Length: 0\r\n\r\n`, times: 400 },
  noise: { begin: '', more: '\0\x01\xff', times: 5_000 },
} as const satisfies Record<string, Flood>

export type FloodName = keyof typeof FLOODS
