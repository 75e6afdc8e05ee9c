// Where the resource of a row is found: its page, and as a request in curl and in GraphQL.
import type { StreamName } from '../../../shared/wire/console_stream.ts'
import { textAt } from '../data/json_object.ts'
import { quoted } from '../data/shell_quotes.ts'
import { isBurst, type MonitorRow, subjectOf } from './monitor_row.ts'

type Place = {
  /** The noun, for the link to the page. */
  readonly noun: string
  readonly api: string
  readonly page: string | null
  readonly query: string
  readonly fields: string
}

const PLACES: Readonly<Record<StreamName, Place>> = {
  beacons: {
    noun: 'beacon',
    api: 'beacons',
    page: '/beacons/',
    query: 'beacon',
    fields: 'id hash timestamp previousHash',
  },
  blocks: {
    noun: 'block',
    api: 'blocks',
    page: '/blocks/',
    query: 'getBlock',
    fields:
      'id height blockHash previousBlockHash merkleRoot state itemCount observationCount finalizedAt committedAt',
  },
  items: {
    noun: 'item',
    api: 'items',
    page: '/items/',
    query: 'getItem',
    fields:
      'id state visibility tags claimsHash metadataHash itemHash blockId insertedAt committedAt redactedAt',
  },
  entropy: {
    noun: 'observation',
    api: 'entropy_observations',
    page: '/entropy/',
    query: 'getEntropyObservation',
    fields: 'id source state entropy entropyHash observationHash sourcePublishedAt blockId insertedAt',
  },
  commitments: {
    noun: 'commitment',
    api: 'commitments',
    page: null,
    query: 'getCommitment',
    fields: 'id chain network state epochRoot transactionHash ledger blockHeight confirmedAt attempts error',
  },
  webhook_deliveries: {
    noun: 'delivery',
    api: 'webhook-deliveries',
    page: '/webhooks/deliveries/',
    query: 'getWebhookDelivery',
    fields:
      'id eventType resourceType resourceId messageId status httpStatus attempts nextAttemptAt updatedAt',
  },
}

export type RowLinks = {
  readonly noun: string
  /** Path of the page, or null for what has none. */
  readonly page: string | null
  /** Path of the request. */
  readonly api: string
  readonly graphql: string
}

/** Null for a row that is about no single resource, or about one that is gone. */
export const rowLinks = (row: MonitorRow): RowLinks | null => {
  const id = subjectOf(row)
  if (row.stream === 'connection' || id === null || isBurst(row) || row.kind === 'item.deleted') return null
  const { noun, api, page, query, fields } = PLACES[row.stream]
  const name = encodeURIComponent((row.stream === 'beacons' ? textAt(row.data, 'hash') : id) ?? '')
  return {
    noun,
    page: page === null || name === '' ? null : `${page}${name}`,
    api: `/api/json/${api}/${encodeURIComponent(id)}`,
    graphql: `query {\n  ${query}(id: ${JSON.stringify(id)}) {\n    ${fields.replaceAll(' ', '\n    ')}\n  }\n}\n`,
  }
}

/** `$PHAROS_API_KEY` is read by the shell, so that a copied command carries no secret unless a person wants it. */
export const curlCommand = (url: string, key: string | null): string =>
  [
    `curl ${quoted(url)} \\`,
    `  -H ${key === null ? '"Authorization: Bearer $PHAROS_API_KEY"' : quoted(`Authorization: Bearer ${key}`)}`,
  ].join('\n')
