// Writes a request of HTTP/1.1 as bytes (RFC 9112).

/** Names and values alternately. Values are bytes, one per character. */
export type HeaderList = readonly string[]

/** The part of a request that is the same for all requests to a target. */
export interface Letterhead {
  readonly text: string
}

/**
 * @param url its path cannot contain white space, because the parser of URLs encodes it
 * @throws an Error when a header would break the request. The owner's headers are checked before they are stored.
 */
export function letterhead(method: 'GET' | 'POST', url: URL, headers: HeaderList): Letterhead {
  const fixed = linesOf(['host', url.host, 'connection', 'keep-alive', ...headers])
  return { text: `${method} ${url.pathname}${url.search} HTTP/1.1\r\n${fixed}` }
}

/** @param body absent in a GET */
export function requestBytes({ text }: Letterhead, headers: HeaderList, body?: string): Buffer {
  const length = body === undefined ? 0 : Buffer.byteLength(body)
  const sized = body === undefined ? '' : `content-length: ${length}\r\n`
  const head = `${text}${linesOf(headers)}${sized}\r\n`
  // One buffer is one record of TLS and one packet, if it is not too large.
  const bytes = Buffer.allocUnsafe(head.length + length)
  bytes.write(head, 'latin1')
  if (body !== undefined) bytes.write(body, head.length)
  return bytes
}

function linesOf(headers: HeaderList): string {
  let lines = ''
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const line = `${headers[at]}: ${headers[at + 1]}`
    if (UNSENDABLE.test(line)) throw new Error('A header would break the request.')
    lines += `${line}\r\n`
  }
  return lines
}

/** Line ends and other control characters, and characters that are no byte. */
const UNSENDABLE = /[^\t\x20-\x7e\x80-\xff]/
