// A public log in memory, behind the surface that serves logs.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Koa from 'koa'
import { pino } from 'pino'
import type { Caller } from '../../../server/domain/accounts/caller.ts'
import type { BudgetName } from '../../../server/domain/limits/budgets.ts'
import { createMetrics } from '../../../server/kernel/metrics.ts'
import { answerErrors, answerRequest } from '../../../server/surfaces/http/answer_request.ts'
import { cors } from '../../../server/surfaces/http/security_headers.ts'
import { type LogSource, serveLog } from '../../../server/surfaces/log/serve_log.ts'
import { writeCheckpoint } from '../../../shared/log/checkpoint.ts'
import { blockComposite, entryBytes } from '../../../shared/log/log_entry.ts'
import { u32 } from '../../../shared/proof/bytes.ts'
import { sha256 } from '../../../shared/proof/domain_hash.ts'
import { type NaiveTree, naiveTiles, naiveTree } from '../../log/naive_tree.ts'

export interface MemoryLog {
  readonly port: number
  readonly tree: NaiveTree
  readonly entries: readonly Uint8Array[]
  /** How often the newest checkpoint was read. */
  readonly looks: () => number
  /** Shows the checkpoint of this size from now on, or none. */
  readonly show: (size: number | undefined) => void
  readonly close: () => Promise<void>
}

const READER: Caller = {
  ...{ userId: 'u', fullName: 'Ada', plan: 'free', scopes: new Set(['api:read']) },
  credential: { kind: 'api_key', id: 'k', expiresAt: null },
}

export interface MemoryLogOptions {
  readonly entries: number
  readonly isPublic: boolean
  /** Requests that an address may send, and those for tiles. */
  readonly budget?: number
  readonly tileBudget?: number
}

export async function openMemoryLog({
  entries: count,
  isPublic,
  budget = 1_000_000,
  tileBudget = 1_000_000,
}: MemoryLogOptions): Promise<MemoryLog> {
  // Much alike, so that bundles can be compressed.
  const entries = Array.from({ length: count }, (_, at) =>
    entryBytes({
      composite: blockComposite({
        id: '01a2ce8e-9320-7630-bb7f-73edc8868b1d',
        previousBlockHash: new Uint8Array(32),
        merkleRoot: sha256(u32(at)),
        metadataHash: new Uint8Array(32),
        keyId: new Uint8Array(4),
      }),
      signature: Buffer.alloc(64, at),
      metadata: '{}',
    }),
  )
  const tree = naiveTree(entries)
  let shown: number | undefined = count
  let looks = 0
  const source: LogSource = {
    shown: async () => {
      looks += 1
      if (shown === undefined) return undefined
      const head = { origin: 'ledger.example/log', size: shown, root: tree.root(0, shown) }
      return { size: shown, note: `${writeCheckpoint(head)}\n— ledger.example/log AAAAAAAAAA==\n` }
    },
    readTile: async (tile) => (await naiveTiles(tree, count)([tile]))[0],
    readTiles: naiveTiles(tree, count),
    readEntries: async (start, end) => entries.slice(start, end),
    policy: async () => Buffer.from('quorum none\n'),
    history: async () => [],
    keyring: async (size) => Buffer.from(`keys of ${size}`),
    epoch: async ({ folder, sequence }, size) =>
      sequence < size / 100 ? Buffer.from(`${folder} ${sequence}`) : undefined,
  }
  const chargeOf = (name: BudgetName, limit: number) => {
    let left = limit
    return () => {
      left -= 1
      return { budget: name, allowed: left >= 0, limit, remaining: Math.max(0, left), retryAfterMs: 1_000 }
    }
  }
  const koa = new Koa()
  koa.silent = true
  const log = pino({ level: 'silent' })
  const base = () => 'https://ledger.example'
  koa.use(answerRequest({ metrics: createMetrics(), log, answerError: answerErrors([], { base, log }) }))
  koa.use(cors)
  koa.use(
    serveLog({
      source,
      isPublic,
      authenticate: async (token) => (token === 'reader' ? READER : undefined),
      base,
      chargeAddress: chargeOf('log_address', budget),
      chargeTile: chargeOf('log_tiles', tileBudget),
    }),
  )
  const server = createServer(koa.callback())
  await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening))
  return {
    port: (server.address() as AddressInfo).port,
    tree,
    entries,
    looks: () => looks,
    show: (size) => {
      shown = size
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}
