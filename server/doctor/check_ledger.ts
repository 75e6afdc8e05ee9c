// Checks of what the database holds: keys, the head, the queues, and the hosts of webhooks.
import { lookup } from 'node:dns/promises'
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { plural } from '../../shared/cli/terminal.ts'
import { checkMasterKey, verifyHead } from '../domain/ledger/check_start.ts'
import { readStanding, waitingItems, watchWaiting } from '../domain/ledger/standing.ts'
import { waitingFactAge } from '../domain/webhooks/fan_out/publish_events.ts'
import { queueAge } from '../domain/webhooks/sending/due_deliveries.ts'
import { jobAge } from '../jobs/queue.ts'
import { waitingRetries } from '../jobs/retry_webhooks.ts'
import { within } from '../kernel/flow/at_once.ts'
import { isOwnReceiver } from '../outgoing/guard.ts'
import { text } from '../store/columns.ts'
import { keyInForce, unopenedValues } from '../store/seal.ts'
import { rows, statement } from '../store/statement.ts'
import { roundsOfDay, stampingCertificates } from './check_stamping.ts'
import {
  type Check,
  type DoctorFinding,
  type Found,
  type InstalledSettings,
  ok,
  roughly,
  warning,
  wrong,
} from './examine.ts'

interface OpenLedger {
  readonly em: () => EntityManager
  readonly url: string
}

export const ledgerChecks = (settings: InstalledSettings, ledger: OpenLedger): readonly Check[] => [
  {
    name: 'master key',
    run: async () => {
      await checkMasterKey({ em: ledger.em(), masterKey: await settings.masterKey(ledger.url) })
      return ok('The master key opens the signing keys.')
    },
  },
  { name: 'sealed values', run: () => sealedValues(settings, ledger) },
  {
    name: 'head',
    run: async () => {
      await verifyHead(ledger.em())
      return [ok('The head of the ledger verifies.'), await age(ledger, settings)]
    },
  },
  { name: 'queues', run: () => queues(ledger, settings) },
  { name: 'retries', run: () => retries(ledger) },
  { name: 'rounds', run: () => roundsOfDay(ledger.em()) },
  { name: 'time stamps', run: () => stampingCertificates(ledger.em(), settings) },
  { name: 'webhooks', run: () => webhooks(ledger) },
]

/** Values that are named. The rest is counted. */
const MOST_NAMED = 20

/** With another master key none opens, and the check of the key has said so. */
async function sealedValues(settings: InstalledSettings, { em, url }: OpenLedger): Promise<Found> {
  const masterKey = await settings.masterKey(url)
  const named: DoctorFinding[] = []
  let more = 0
  for await (const { table, id, column } of unopenedValues({ em: em(), masterKey }))
    if (named.length < MOST_NAMED) named.push(wrong(`${column} of ${table} ${id} does not open.`, ADVICE))
    else more += 1
  if ((await keyInForce(em())) !== masterKey.fingerprint) return []
  if (named.length === 0) return ok('Everything sealed opens.')
  return more === 0 ? named : [...named, wrong(`So do ${more} more.`, ADVICE)]
}

const ADVICE =
  'If it was sealed under a former master key, bring it back with key rewrap to that key, and then to this one again. If ' +
  'not, the owner of an endpoint has to give it again, and a key signs no more; what it has signed stays valid.'

async function age({ em }: OpenLedger, { blockIntervalMs }: InstalledSettings): Promise<DoctorFinding> {
  const { nowMs, head } = await readStanding(em())
  const ageMs = nowMs - head.timeMs
  if (ageMs < -1_000)
    return wrong(
      `The clock of the database is ${roughly(-ageMs)} behind the newest block.`,
      'Check time synchronisation on the machine of the database. Blocks go on; their times stand still until then.',
    )
  const text = `The newest block (height ${head.height}) is ${roughly(Math.max(0, ageMs))} old`
  return ageMs > 3 * blockIntervalMs + 10_000
    ? wrong(
        `${text}, and there should be one every ${roughly(blockIntervalMs)}.`,
        'Check that a server runs on this database, and look for block_clock.failed in its log.',
      )
    : ok(`${text}.`)
}

const QUEUE_SECONDS = 300

async function queues({ em }: OpenLedger, { blockIntervalMs }: InstalledSettings): Promise<Found> {
  const items = await waitingItems(em())
  const aheadMs = (items.newestMs ?? 0) - items.nowMs
  const behind: readonly (readonly [what: string, seconds: number, limit: number])[] = [
    ['webhook delivery', await queueAge(em()), QUEUE_SECONDS],
    ['event for webhooks', await waitingFactAge(em()), QUEUE_SECONDS],
    ['job', await jobAge(em()), QUEUE_SECONDS],
    ['item without a block', watchWaiting()(items), (4 * blockIntervalMs) / 1_000 + 30],
  ]
  const late = behind.filter(([, seconds, limit]) => seconds > limit)
  const findings = late.map(([what, seconds]) =>
    warning(
      `The oldest ${what} has waited ${roughly(seconds * 1_000)}.`,
      'Check that a server runs, and look in its log for lines that end in failed.',
    ),
  )
  if (aheadMs > 1_000)
    findings.push(
      warning(
        `An item without a block has a time that comes in ${roughly(aheadMs)}.`,
        'The clock of the database was ahead. While it is behind the newest block, the next one takes the item; otherwise ' +
          'the item waits for its time.',
      ),
    )
  return findings.length === 0 ? ok('No queue is behind.') : findings
}

async function retries({ em }: OpenLedger): Promise<Found> {
  const { count, next_seconds } = await waitingRetries(em())
  if (next_seconds === null) return ok('At no webhook anything is to be tried again.')
  const next = roughly(Math.max(0, next_seconds) * 1_000)
  return ok(`At ${plural(count, 'webhook')} something is to be tried again, first in ${next}.`)
}

const MOST_HOSTS = 50
const NAME_MS = 3_000

/** The hosts of endpoints that are on and called. The built-in receiver is left out, because no name server knows it. */
async function webhooks({ em }: OpenLedger): Promise<Found> {
  const urls = (await rows(em(), ENDPOINTS))
    .map(({ url }) => new URL(url))
    .filter((url) => !isOwnReceiver(url))
  const hosts = [...new Set(urls.map(({ hostname }) => hostname))].slice(0, MOST_HOSTS)
  const unknown: string[] = []
  await Promise.all(
    hosts.map(async (host) => {
      await within(NAME_MS, lookup(host), () => new Error('late')).catch(() => void unknown.push(host))
    }),
  )
  return unknown.length === 0
    ? ok(
        hosts.length === 0
          ? 'No webhook has a host to look up.'
          : `The hosts of ${hosts.length} webhooks resolve.`,
      )
    : warning(
        `${unknown.length} of ${hosts.length} hosts of webhooks do not resolve: ${unknown.toSorted().slice(0, 5).join(', ')}.`,
        'If it is all of them, check the name server of this machine; otherwise their owners have to.',
      )
}

const ENDPOINTS = statement(
  { url: text },
  sql`SELECT url FROM webhook_endpoints WHERE enabled AND kind = 'push' ORDER BY id LIMIT ${sql.lit(MOST_HOSTS)}`,
)
