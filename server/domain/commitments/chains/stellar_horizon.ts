// The few Horizon calls that committing needs. Each has size and time limits and a strict reader.
import { memberOf } from '../../../../shared/proof/json_value.ts'
import { type BoundedResponse, boundedRequest } from '../../../outgoing/bounded_request.ts'
import {
  AnswerWrong,
  booleanMember,
  countMember,
  HASH,
  instantMember,
  objectMember,
  objectOf,
  onlyElement,
  textMember,
} from '../../../outgoing/strict_answer.ts'
import { type BroadcastOutcome, ChainUnreachable, type Unusable, unreachableWhenFailed } from './chain.ts'

/** Milliseconds and bytes. `submit` waits for one or two ledgers of five to six seconds each. */
const BOUNDS = { askMs: 10_000, submitMs: 25_000, maxBytes: 1_048_576 } as const

export type Horizon = ReturnType<typeof openHorizon>

/** Every method throws ChainUnreachable when there is no readable answer. */
export function openHorizon(address: string, { timeoutMs }: { timeoutMs?: number } = {}) {
  const closing = new AbortController()
  const request = async (path: string, form?: string): Promise<BoundedResponse> =>
    boundedRequest(`${address}${path}`, {
      headers: { accept: 'application/json', 'user-agent': 'pharos', ...(form === undefined ? {} : FORM) },
      ...(form === undefined ? {} : { method: 'POST', body: form }),
      timeoutMs: timeoutMs ?? (form === undefined ? BOUNDS.askMs : BOUNDS.submitMs),
      maxBytes: BOUNDS.maxBytes,
      signal: closing.signal,
    })
  const ask = async (path: string): Promise<Buffer | undefined> => {
    const { status, body } = await request(path)
    if (status === 404) return undefined
    if (status !== 200) throw new ChainUnreachable(`Horizon answered ${status}.`, { why: whyOf(status) })
    return body
  }

  return Object.freeze({
    /** The newest ledger that Horizon has. Its close time serves as the chain's clock. */
    head: () =>
      readable(async () => {
        const body = await ask('/ledgers?order=desc&limit=1')
        if (body === undefined) throw new AnswerWrong('it knows no ledger')
        const ledger = onlyElement(objectMember(objectOf(body), '_embedded'), 'records')
        return { ledger: countMember(ledger, 'sequence'), closedAt: instantMember(ledger, 'closed_at').at }
      }),
    /** Undefined when the account does not exist: it has no funds, or it belongs to another network. */
    account: (id: string) =>
      readable(async () => {
        const body = await ask(`/accounts/${id}`)
        if (body === undefined) return undefined
        const account = objectOf(body)
        const found = memberOf(account, 'sequence_ledger')
        return {
          /** Of the account's last transaction in a ledger. */
          sequence: BigInt(textMember(account, 'sequence', SEQUENCE)),
          /** The ledger of that transaction. Undefined when the account has made none since protocol 19. */
          sequenceLedger:
            found === undefined || found === null ? undefined : countMember(account, 'sequence_ledger'),
        }
      }),
    /** Undefined while no ledger contains the transaction. The hash is 64 hex digits. */
    transaction: (hash: string) =>
      readable(async () => {
        const body = await ask(`/transactions/${hash}`)
        if (body === undefined) return undefined
        const transaction = objectOf(body)
        if (textMember(transaction, 'hash', HASH) !== hash)
          throw new AnswerWrong('that is another transaction')
        return {
          ledger: countMember(transaction, 'ledger'),
          closedAt: instantMember(transaction, 'created_at').at,
          /** False when the ledger used the fee and the sequence number but did not execute the transaction. */
          successful: booleanMember(transaction, 'successful'),
        }
      }),
    /**
     * Waits until a ledger contains the transaction, so the call may be slow.
     * @param envelope base64 of the XDR
     * @param hash the expected transaction hash
     */
    submit: (envelope: string, hash: string) =>
      readable(async () =>
        readSubmission(
          await request('/transactions', new URLSearchParams({ tx: envelope }).toString()),
          hash,
        ),
      ),
    close: () => closing.abort(),
  })
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded' } as const

/** A 64-bit number. */
const SEQUENCE = /^(?:0|[1-9]\d{0,18})$/
const TIMEOUT = /\/timeout$/
const RESULT_CODE = /^[a-z0-9_]{1,64}$/
const TITLE = /^[\x20-\x7e]{1,100}$/

/**
 * Status 504 means that Horizon passed the transaction on but no ledger contained it in time. The network may still
 * include it, or has put it behind another transaction of the account; sending it again helps in that case. Status
 * 400 means that the network refused it. After any other status (429, 503, an answer of a proxy) the result is
 * unknown.
 */
function readSubmission({ status, body }: BoundedResponse, hash: string): BroadcastOutcome {
  if (status === 200) {
    if (textMember(objectOf(body), 'hash', HASH) !== hash)
      throw new AnswerWrong('that is another transaction')
    return { outcome: 'accepted' }
  }
  if (status === 504) {
    textMember(objectOf(body), 'type', TIMEOUT)
    return { outcome: 'accepted' }
  }
  if (status !== 400)
    throw new ChainUnreachable(`Horizon answered ${status} to a transaction.`, { why: whyOf(status) })
  const problem = objectOf(body)
  const extras = memberOf(problem, 'extras')
  if (extras === undefined || memberOf(objectMember(problem, 'extras'), 'result_codes') === undefined)
    return { outcome: 'refused', reason: textMember(problem, 'title', TITLE) }
  const codes = objectMember(objectMember(problem, 'extras'), 'result_codes')
  return { outcome: 'refused', reason: textMember(codes, 'transaction', RESULT_CODE) }
}

const whyOf = (status: number): Unusable => (status === 401 || status === 403 ? 'credentials' : 'failing')

const readable = <T>(work: () => Promise<T>): Promise<T> =>
  work().catch((error: unknown) => {
    if (!(error instanceof AnswerWrong)) return unreachableWhenFailed(error)
    const words = `Horizon answered strangely: ${error.message}.`
    throw new ChainUnreachable(words, { cause: error, why: 'strange' })
  })
