// One request over HTTP(S), for bytes or for JSON, limited in time and in bytes. Never follows a redirect. When its connection
// is cut, it is made again where that does no harm: behind the same address another server may take it.
import { setTimeout as sleep } from 'node:timers/promises'
import { Complaint, codeOf, wordsOf } from './terminal.ts'

export const isAddress = (source: string): boolean => /^https?:\/\//i.test(source)

export const isOwnComputer = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname)

export type BytesAnswer = Readonly<Awaited<ReturnType<typeof getOnce>>>

export interface HttpQuestion {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array<ArrayBuffer>
  /** Of the answer, where the usual ones are too low. */
  readonly ceilings?: Partial<AnswerCeilings>
  /** When it is aborted, nobody waits for the answer any more. */
  readonly signal?: AbortSignal | undefined
  /** It may be made twice. True for a GET, unless it says otherwise. */
  readonly isRepeatable?: boolean | undefined
}

interface AnswerCeilings {
  readonly bytes: number
  readonly milliseconds: number
}

/** There was no answer, and a later request may get one. */
export class NoAnswer extends Complaint {}

/** The connection was there, and ended before the answer did. */
class CutOff extends NoAnswer {}

/** Milliseconds before a request is made again: longer than a proxy takes to notice that a server is gone. */
const AGAIN_MS = [100, 500, 2_000] as const

/** What a proxy answers in the name of a server that it did not reach. */
const GATEWAY = new Set([502, 504])

/**
 * Any status counts as an answer.
 * @throws NoAnswer when there is none, Complaint when it has too many bytes
 */
export async function getBytes(
  url: URL,
  { isRepeatable, ...question }: Omit<HttpQuestion, 'ceilings'>,
  ceilings: AnswerCeilings,
): Promise<BytesAnswer> {
  const pauses = (isRepeatable ?? (question.method ?? 'GET') === 'GET') ? AGAIN_MS : []
  for (const pauseMs of pauses) {
    const answer = await getOnce(url, question, ceilings).catch((error: unknown) => {
      if (!(error instanceof CutOff) || question.signal?.aborted === true) throw error
    })
    if (answer !== undefined && !GATEWAY.has(answer.status)) return answer
    await sleep(pauseMs)
  }
  return getOnce(url, question, ceilings)
}

async function getOnce(
  url: URL,
  { signal, ...question }: Omit<HttpQuestion, 'ceilings' | 'isRepeatable'>,
  ceilings: AnswerCeilings,
) {
  const ending = endingAfter(ceilings.milliseconds, signal)
  try {
    const response = await fetch(url, { ...question, redirect: 'manual', signal: ending.signal })
    const wait = Number(response.headers.get('retry-after') ?? Number.NaN)
    return {
      status: response.status,
      bytes: await boundedBytes(response, url, ceilings.bytes),
      retryAfterSeconds: Number.isFinite(wait) ? wait : undefined,
    }
  } catch (error) {
    if (error instanceof Complaint) throw error
    if (isUnsendable(error))
      throw new Complaint(`This request cannot be sent to ${url.origin}: ${unsendableWords(error, url)}.`)
    const Kind = CUT_CODES.has(causeCode(error)) ? CutOff : NoAnswer
    throw new Kind(`${url.origin} ${reasonOf(error, ceilings.milliseconds)}.`, {
      advice: 'Is the address right, and the service running?',
    })
  } finally {
    ending.clear()
  }
}

/** Of fetch and of the system. */
const CUT_CODES = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'])

/** A method with a body that it may not have, or a header that cannot be one: nothing was asked. */
const isUnsendable = (error: unknown): boolean =>
  (error instanceof TypeError && error.cause === undefined) || UNSENDABLE_CODES.has(causeCode(error))

const UNSENDABLE_CODES = new Set(['UND_ERR_NOT_SUPPORTED', 'UND_ERR_INVALID_ARG'])

const unsendableWords = (error: unknown, { href, origin }: URL): string => {
  const told = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return wordsOf(told).replaceAll(href, origin).replace(/\.$/, '')
}

const causeCode = (error: unknown): string => (error instanceof Error ? codeOf(error.cause) : undefined) ?? ''

/** A signal of its own for each request: one that outlives many would keep something of each. */
function endingAfter(milliseconds: number, signal: AbortSignal | undefined) {
  const ending = new AbortController()
  const stop = (): void => ending.abort(signal?.reason)
  const late = setTimeout(() => ending.abort(new DOMException('late', 'TimeoutError')), milliseconds)
  if (signal?.aborted) stop()
  signal?.addEventListener('abort', stop)
  return {
    signal: ending.signal,
    clear: () => {
      clearTimeout(late)
      signal?.removeEventListener('abort', stop)
    },
  }
}

async function boundedBytes(response: Response, url: URL, most: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > most) throw new Complaint(`${url.origin} sent more than ${shownBytes(most)}.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

export const shownBytes = (bytes: number): string =>
  bytes % 1_048_576 === 0 ? `${bytes / 1_048_576} MiB` : `${bytes} bytes`

const reasonOf = (error: unknown, milliseconds: number): string => {
  if (error instanceof Error && error.name === 'TimeoutError')
    return `did not answer within ${milliseconds / 1_000} seconds`
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : ''
  return cause === '' ? 'cannot be reached' : `cannot be reached (${cause})`
}

/** Hardly any answer in JSON is longer. */
export const LARGEST_ANSWER_BYTES = 1_048_576

const USUAL: AnswerCeilings = { bytes: LARGEST_ANSWER_BYTES, milliseconds: 10_000 }

/** The same of what answers in JSON. */
export const askHttp = (url: URL, { ceilings, ...question }: HttpQuestion = {}): Promise<BytesAnswer> => {
  const headers = { accept: 'application/vnd.api+json, application/json', ...question.headers }
  return getBytes(url, { ...question, headers }, { ...USUAL, ...ceilings })
}
