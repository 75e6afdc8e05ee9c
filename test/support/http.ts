// Plain HTTP for tests: paths are sent exactly as written, and raw bytes are possible where a client library
// would correct them.
import { Agent, request as send } from 'node:http'
import { connect, type Socket } from 'node:net'

export interface Ask {
  readonly method?: string
  /** Sent as `Authorization: Bearer …`. */
  readonly key?: string
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
  /**
   * Text and bytes are sent with a Content-Length, an array of chunks as a chunked body, anything else as
   * JSON:API.
   */
  readonly body?: string | Uint8Array | readonly Uint8Array[] | { readonly json: unknown }
  /** Called when the server has taken the request, which it says before it answers (`100 Continue`). */
  readonly onTaken?: () => void
}

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly bytes: Buffer
  readonly text: string
  /** The body as JSON. Throws when it is not JSON. */
  readonly json: () => unknown
}

/**
 * With a time of its own, because Node's agent then also leaves a connection before the server does, as the server has told.
 * Without one it uses the connection at the moment when the server ends it.
 */
const agent = new Agent({ keepAlive: true, maxSockets: 64, timeout: 120_000 })

/** One request to a server on this machine. `path` is sent byte by byte. */
export function ask(
  port: number,
  path: string,
  { method, key, headers, body, onTaken }: Ask = {},
): Promise<Answer> {
  const isJson = body !== undefined && typeof body === 'object' && 'json' in body
  const payload = isJson ? JSON.stringify(body.json) : body
  const all: Record<string, string | string[]> = {
    ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }),
    ...(isJson ? { 'Content-Type': 'application/vnd.api+json' } : {}),
    ...(onTaken === undefined ? {} : { Expect: '100-continue' }),
  }
  for (const [name, value] of Object.entries(headers ?? {}))
    all[name] = typeof value === 'string' ? value : [...value]
  if (typeof payload === 'string' || payload instanceof Uint8Array)
    all['Content-Length'] = String(Buffer.byteLength(payload))
  return new Promise((resolve, reject) => {
    const request = send(
      {
        host: '127.0.0.1',
        port,
        path,
        method: method ?? (body === undefined ? 'GET' : 'POST'),
        headers: all,
        agent,
      },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () => {
          const bytes = Buffer.concat(chunks)
          const text = bytes.toString('utf8')
          const told = Object.entries(response.headers).map(([name, value]) => [name, String(value)])
          resolve({
            status: response.statusCode ?? 0,
            headers: Object.fromEntries(told),
            ...{ bytes, text },
            json: () => JSON.parse(text),
          })
        })
      },
    )
    request.on('error', reject)
    if (onTaken !== undefined) request.on('continue', onTaken)
    if (Array.isArray(payload)) for (const chunk of payload) request.write(chunk)
    else if (payload !== undefined) request.write(payload)
    request.end()
  })
}

/** Header fields without those of the connection. */
export const ownFields = (headers: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(headers).filter(([name]) => !['date', 'connection', 'keep-alive'].includes(name)),
  )

export interface Wire {
  readonly socket: Socket
  readonly write: (bytes: string | Uint8Array) => void
  /** All text received so far. */
  readonly received: () => string
  /**
   * Resolves when the text received so far satisfies the condition. Rejects when the connection ends before.
   */
  readonly until: (holds: (text: string) => boolean) => Promise<string>
  /** Resolves with all received text when the other side has ended the connection. */
  readonly ended: Promise<string>
}

/**
 * A connection that sends exactly the given bytes.
 * @param localAddress another loopback address, to appear as another client
 */
export async function openWire(port: number, localAddress = '127.0.0.1'): Promise<Wire> {
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('error', reject)
  })
  let text = ''
  let over = false
  const waiting = new Set<() => void>()
  const wake = (): void => {
    for (const look of waiting) look()
  }
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1')
    wake()
  })
  // A reset counts as an end. The test examines what had arrived before it.
  socket.on('error', () => undefined)
  const ended = new Promise<string>((resolve) =>
    socket.once('close', () => {
      over = true
      resolve(text)
      wake()
    }),
  )
  return {
    socket,
    write: (bytes) => void socket.write(bytes),
    received: () => text,
    until: (holds) =>
      new Promise<string>((resolve, reject) => {
        const look = (): void => {
          if (holds(text)) resolve(text)
          else if (over) reject(new Error(`The connection ended after: ${text.slice(0, 500)}`))
          else return
          waiting.delete(look)
        }
        waiting.add(look)
        look()
      }),
    ended,
  }
}

/** Polls until the condition holds. @throws after `ms` */
export async function eventually<T>(
  look: () => Promise<T | undefined> | T | undefined,
  ms = 60_000,
): Promise<T> {
  const deadline = performance.now() + ms
  for (;;) {
    const found = await look()
    if (found !== undefined) return found
    if (performance.now() > deadline) throw new Error('It did not happen in time.')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
