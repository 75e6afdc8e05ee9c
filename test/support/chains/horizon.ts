// A Stellar network in one process behind the part of Horizon's API that the service uses. It makes the same
// checks as a real one.
import { createServer, type IncomingMessage } from 'node:http'
import { Keypair, Networks, type Transaction, TransactionBuilder } from '@stellar/stellar-sdk/base'

/** How the next submissions are treated. Each treatment is used once, in order. */
export type Treatment =
  /** Answers 504 and forgets the transaction. */
  | 'drop'
  /** Accepts the transaction, and closes the connection instead of answering. */
  | 'hang_up'
  /** Answers 503: too busy. */
  | 'busy'
  /** Refuses with this result code of the network. */
  | { readonly refuse: string }

export interface FakeHorizon {
  /** Base address, without a slash at the end. */
  readonly address: string
  /** Creates an account with the address of this key. */
  readonly fund: (publicKey: string) => void
  /** Closes this many ledgers, five seconds each by default. The first takes the waiting transactions. */
  readonly closeLedgers: (count?: number, seconds?: number) => void
  /** Another owner of the key makes a transaction, in a ledger of its own. */
  readonly spendElsewhere: (publicKey: string) => void
  /**
   * From now on, shows transactions only this many ledgers after their inclusion. Accounts are shown at once.
   */
  readonly lagBehind: (ledgers: number) => void
  /** Ends all faults: no lag, and no unused treatment. */
  readonly calm: () => void
  readonly treat: (...treatments: readonly Treatment[]) => void
  /** Every envelope submitted so far, as sent. */
  readonly submitted: readonly string[]
  /** Hashes of the included transactions, in order. */
  readonly included: () => string[]
  /** The roots that they carry, as hex, in the same order. */
  readonly roots: () => string[]
  readonly close: () => Promise<void>
}

interface Included {
  readonly transaction: Transaction
  readonly ledger: number
  readonly closedAt: string
}

/** A ledger closes only when a test says so. Until then a submission waits, and is answered with 504. */
export async function openFakeHorizon(passphrase: string = Networks.TESTNET): Promise<FakeHorizon> {
  const accounts = new Map<string, { sequence: bigint; sequenceLedger: number }>()
  const waiting = new Map<string, Transaction>()
  const included = new Map<string, Included>()
  const submitted: string[] = []
  const treatments: Treatment[] = []
  let lag = 0
  let ledger = 1_000
  let closedAtMs = Date.UTC(2026, 0, 1)
  const closedAt = (): string => new Date(closedAtMs).toISOString().replace('.000Z', 'Z')

  const closeLedgers = (count = 1, seconds = 5): void => {
    for (let closed = 0; closed < count; closed += 1) {
      ledger += 1
      closedAtMs += seconds * 1_000
      for (const [hash, transaction] of waiting) {
        waiting.delete(hash)
        if (whyNot(transaction) !== undefined) continue
        accounts.set(transaction.source, { sequence: BigInt(transaction.sequence), sequenceLedger: ledger })
        included.set(hash, { transaction, ledger, closedAt: closedAt() })
      }
    }
  }

  /** The result code with which the next ledger would refuse the transaction. Undefined when it would not. */
  const whyNot = (transaction: Transaction): string | undefined => {
    const account = accounts.get(transaction.source)
    if (account === undefined) return 'tx_no_source_account'
    if (BigInt(transaction.sequence) !== account.sequence + 1n) return 'tx_bad_seq'
    const until = Number(transaction.timeBounds?.maxTime ?? 0)
    if (until !== 0 && until < closedAtMs / 1_000) return 'tx_too_late'
    if (Number(transaction.fee) < 100 * transaction.operations.length) return 'tx_insufficient_fee'
    const [signature] = transaction.signatures
    const signed =
      signature !== undefined &&
      Keypair.fromPublicKey(transaction.source).verify(transaction.hash(), signature.signature)
    return signed ? undefined : 'tx_bad_auth'
  }

  const shownAs = (hash: string): object | undefined => {
    const found = included.get(hash)
    return found === undefined || found.ledger > ledger - lag ? undefined : shown(hash, found)
  }

  const submit = (form: string): Answer => {
    const envelope = new URLSearchParams(form).get('tx') ?? ''
    submitted.push(envelope)
    let transaction: ReturnType<typeof TransactionBuilder.fromXDR>
    try {
      transaction = TransactionBuilder.fromXDR(envelope, passphrase)
    } catch {
      return problem(400, 'transaction_malformed', 'Transaction Malformed', { envelope_xdr: envelope })
    }
    if (!('sequence' in transaction)) return problem(400, 'transaction_malformed', 'Transaction Malformed')
    const hash = Buffer.from(transaction.hash()).toString('hex')
    const treatment = treatments.shift()
    if (treatment === 'busy') return problem(503, 'service_unavailable', 'Service Unavailable')
    if (treatment === 'drop') return problem(504, 'timeout', 'Timeout')
    const known = shownAs(hash)
    if (known !== undefined) return { status: 200, body: known }
    const code = typeof treatment === 'object' ? treatment.refuse : whyNot(transaction)
    if (code !== undefined)
      return problem(400, 'transaction_failed', 'Transaction Failed', { result_codes: { transaction: code } })
    const { source } = transaction
    // A node holds only one transaction of an account at a time and delays every other, so Horizon waits in
    // vain.
    if ([...waiting].some(([other, held]) => other !== hash && held.source === source))
      return problem(504, 'timeout', 'Timeout')
    waiting.set(hash, transaction)
    return treatment === 'hang_up' ? undefined : problem(504, 'timeout', 'Timeout')
  }

  const answer = (method: string, path: string, body: string): Answer => {
    const [, room, id = ''] = path.split(/[/?]/)
    if (method === 'POST' && path === '/transactions') return submit(body)
    if (path === '/ledgers?order=desc&limit=1') {
      const record = { id: 'ab'.repeat(32), hash: 'ab'.repeat(32), sequence: ledger, closed_at: closedAt() }
      return { status: 200, body: { _embedded: { records: [record] } } }
    }
    const account = room === 'accounts' ? accounts.get(id) : undefined
    if (account !== undefined) {
      const { sequence, sequenceLedger } = account
      return { status: 200, body: { id, sequence: String(sequence), sequence_ledger: sequenceLedger } }
    }
    const found = room === 'transactions' ? shownAs(id) : undefined
    if (found !== undefined) return { status: 200, body: found }
    return problem(404, 'not_found', 'Resource Missing')
  }

  const server = createServer(async (request, response) => {
    const told = answer(request.method ?? '', request.url ?? '', await textOf(request))
    if (told === undefined) return response.destroy()
    response.writeHead(told.status, { 'content-type': 'application/hal+json; charset=utf-8' })
    response.end(JSON.stringify(told.body))
  })
  await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening))
  const bound = server.address()
  const port = typeof bound === 'object' && bound !== null ? bound.port : 0

  return {
    address: `http://127.0.0.1:${port}`,
    fund: (publicKey) =>
      void accounts.set(publicKey, { sequence: BigInt(ledger) << 32n, sequenceLedger: ledger }),
    closeLedgers,
    spendElsewhere: (publicKey) => {
      waiting.clear()
      closeLedgers()
      const sequence = (accounts.get(publicKey)?.sequence ?? 0n) + 1n
      accounts.set(publicKey, { sequence, sequenceLedger: ledger })
    },
    lagBehind: (ledgers) => {
      lag = ledgers
    },
    calm: () => {
      lag = 0
      treatments.length = 0
    },
    treat: (...wanted) => void treatments.push(...wanted),
    submitted,
    included: () => [...included.keys()],
    roots: () =>
      [...included.values()].map(({ transaction }) =>
        Buffer.from(transaction.memo.value ?? '').toString('hex'),
      ),
    close: async () => {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}

/** Undefined means no answer: the connection is closed. */
type Answer = { readonly status: number; readonly body: object } | undefined

const problem = (status: number, type: string, title: string, extras?: object): Answer => ({
  status,
  body: { type: `https://stellar.org/horizon-errors/${type}`, title, status, extras },
})

const shown = (hash: string, { transaction, ledger, closedAt }: Included): object => ({
  id: hash,
  hash,
  successful: true,
  ledger,
  created_at: closedAt,
  source_account: transaction.source,
  source_account_sequence: transaction.sequence,
  memo_type: transaction.memo.type,
  memo: Buffer.from(transaction.memo.value ?? '').toString('base64'),
  envelope_xdr: transaction.toXDR(),
})

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text
}
