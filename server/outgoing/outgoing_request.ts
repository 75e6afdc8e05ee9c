// A request of HTTP/1.1, and its bytes (RFC 9112).

/** Names and values alternate. Values are bytes, one per character. */
export type HeaderList = readonly string[]

export interface OutgoingRequest {
  readonly method: 'GET' | 'POST'
  /** Its path cannot contain white space, because the parser of URLs encodes it. */
  readonly url: URL
  readonly headers: HeaderList
  readonly body?: string | undefined
  /** It does no harm when this POST arrives twice. */
  readonly isRepeatable?: boolean
}

/** All header fields in the order in which they are sent. */
export function sentHeaders({ url, headers, body }: OutgoingRequest): string[] {
  const length = body === undefined ? [] : ['content-length', String(Buffer.byteLength(body))]
  return ['host', url.host, 'connection', 'keep-alive', ...headers, ...length]
}

/** @throws an Error when a header would break the request. The owner's headers are checked before they are stored. */
export function requestBytes(request: OutgoingRequest): Buffer {
  const { method, url, body = '' } = request
  let head = `${method} ${url.pathname}${url.search} HTTP/1.1\r\n`
  const fields = sentHeaders(request)
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const line = `${fields[at]}: ${fields[at + 1]}`
    if (UNSENDABLE.test(line)) throw new Error('A header would break the request.')
    head += `${line}\r\n`
  }
  head += '\r\n'
  // One buffer is one record of TLS and one packet, if it is not too large.
  const bytes = Buffer.allocUnsafe(head.length + Buffer.byteLength(body))
  bytes.write(head, 'latin1')
  bytes.write(body, head.length)
  return bytes
}

/** Line ends and other control characters, and characters that are no byte. */
const UNSENDABLE = /[^\t\x20-\x7e\x80-\xff]/
