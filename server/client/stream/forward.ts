// Forwards a delivery to a receiver on this computer: the headers and the bytes that a push endpoint would be sent.
import { wordsOf } from '../../../shared/cli/terminal.ts'
import type { ReadEvent } from './pull_endpoint.ts'

export type Forwarded =
  | { readonly kind: 'answered'; readonly status: number; readonly ms: number }
  /** Nobody took it. It is to be sent again. */
  | { readonly kind: 'down'; readonly why: string }

const TIMEOUT_MS = 30_000

/** Of an answer. What comes beyond is not read. */
const MOST_BYTES = 65_536

/** A proxy before a receiver that is down, or a receiver that asks for a pause. */
const NOT_NOW = new Set([429, 502, 503, 504])

export async function forward(
  url: URL,
  { headers, body }: ReadEvent,
  signal: AbortSignal,
): Promise<Forwarded> {
  // Loaded when it is used: it would take a third of the start of every command.
  const { request: send } = url.protocol === 'https:' ? await import('node:https') : await import('node:http')
  const began = performance.now()
  const bytes = Buffer.from(body)
  return new Promise((resolve) => {
    const request = send(
      url,
      {
        method: 'POST',
        agent: false,
        headers: { ...headers, 'content-length': String(bytes.length) },
        signal,
      },
      (response) => {
        const status = response.statusCode ?? 0
        const ms = Math.round(performance.now() - began)
        let size = 0
        response.on('data', (chunk: Buffer) => {
          size += chunk.length
          if (size > MOST_BYTES) response.destroy()
        })
        // Its status counts, whatever becomes of its body.
        response.on('error', () => undefined)
        response.on('close', () => clearTimeout(late))
        resolve(
          NOT_NOW.has(status)
            ? { kind: 'down', why: `answered ${status}` }
            : { kind: 'answered', status, ms },
        )
      },
    )
    const late = setTimeout(
      () => request.destroy(new Error(`did not answer within ${TIMEOUT_MS / 1_000} seconds`)),
      TIMEOUT_MS,
    )
    request.on('error', (error) => {
      clearTimeout(late)
      resolve({ kind: 'down', why: wordsOf(error) })
    })
    request.end(bytes)
  })
}
