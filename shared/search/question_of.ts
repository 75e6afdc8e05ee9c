// The GraphQL query that looks for one name among everything that can have it. Each field is named by the kind
// of its rows, and after `_` by the reason (found.ts reads the kind).
import type { Named } from './read_names.ts'

/** A part of the name of an item. */
export type ItemName = { readonly kind: 'name'; readonly text: string }

/** Many items may carry one digest. */
const MOST_ROWS = 5

const BLOCK = 'id height state finalizedAt'
const ITEM = 'id displayName state proofAvailableAt insertedAt'
const OBSERVATION = 'id source insertedAt'
const EPOCH = 'id chain network sequence firstBlockId blockCount closedAt'
const COMMITMENT = `id chain network state epoch { ${EPOCH} }`
const DELIVERY = 'id eventType status insertedAt'

export const questionOf = (
  named: Named | ItemName,
): { readonly query: string; readonly variables: Readonly<Record<string, string | number>> } => {
  switch (named.kind) {
    case 'item':
      return { query: OF_ITEM, variables: { id: named.id, text: named.id } }
    case 'id':
      return { query: OF_ID, variables: { id: named.id } }
    case 'message':
      return { query: OF_MESSAGE, variables: { text: named.id } }
    case 'hash':
      return { query: OF_HASH, variables: { hash: named.hash } }
    case 'digest':
      return { query: OF_DIGEST, variables: { hash: named.digest } }
    case 'height':
      return { query: OF_HEIGHT, variables: { height: named.height } }
    case 'time':
      return { query: OF_TIME, variables: { from: new Date(named.from).toISOString() } }
    case 'name':
      return { query: OF_NAME, variables: { text: named.text } }
    default:
      return named satisfies never
  }
}

const equal = (list: string, field: string, variable: string, fields: string, first = 1): string =>
  `${list}(first: ${first}, filter: { ${field}: { eq: $${variable} } }) { results { ${fields} } }`

const OF_ITEM = `query ($id: ID!, $text: String!) {
  item: getItem(id: $id) { ${ITEM} }
  delivery: ${equal('listWebhookDeliveries', 'resourceId', 'text', DELIVERY, MOST_ROWS)}
}`

const OF_ID = `query ($id: ID!) {
  block: getBlock(id: $id) { ${BLOCK} }
  observation: getEntropyObservation(id: $id) { ${OBSERVATION} }
  epoch: getEpoch(id: $id) { ${EPOCH} }
  commitment: getCommitment(id: $id) { ${COMMITMENT} }
  endpoint: getWebhookEndpoint(id: $id) { id url }
  delivery: getWebhookDelivery(id: $id) { ${DELIVERY} }
  team: getTeam(id: $id) { id name }
  membership: getMembership(id: $id) { id teamId role }
  key: getApiKey(id: $id) { id name prefix }
}`

const OF_MESSAGE = `query ($text: String!) {
  delivery: ${equal('listWebhookDeliveries', 'messageId', 'text', DELIVERY, MOST_ROWS)}
}`

const OF_HASH = `query ($hash: String!) {
  block: ${equal('listBlocks', 'blockHash', 'hash', BLOCK)}
  item_itemHash: ${equal('listItems', 'itemHash', 'hash', ITEM)}
  item_claimsHash: ${equal('listItems', 'claimsHash', 'hash', ITEM, MOST_ROWS)}
  item_digest: ${equal('listItems', 'hash', 'hash', ITEM, MOST_ROWS)}
  observation: ${equal('listEntropyObservations', 'observationHash', 'hash', OBSERVATION)}
  observation_entropy: ${equal('listEntropyObservations', 'entropyHash', 'hash', OBSERVATION)}
  epoch: ${equal('listEpochs', 'root', 'hash', EPOCH)}
  commitment: ${equal('listCommitments', 'transactionHash', 'hash', COMMITMENT)}
}`

const OF_DIGEST = `query ($hash: String!) {
  item_digest: ${equal('listItems', 'hash', 'hash', ITEM, MOST_ROWS)}
}`

const OF_HEIGHT = `query ($height: Int!) {
  block: ${equal('listBlocks', 'height', 'height', BLOCK)}
}`

const OF_NAME = `query ($text: String!) {
  item_name: listItems(first: ${MOST_ROWS}, filter: { displayName: { contains: $text } }) { results { ${ITEM} } }
}`

/** The block that a submission of that time would be in, and the one before it. */
const OF_TIME = `query ($from: DateTime!) {
  block_after: listBlocks(first: 1, sort: [{ field: FINALIZED_AT, order: ASC }],
    filter: { finalizedAt: { greaterThanOrEqual: $from } }) { results { ${BLOCK} } }
  block_before: listBlocks(first: 1, sort: [{ field: FINALIZED_AT, order: DESC }],
    filter: { finalizedAt: { lessThan: $from } }) { results { ${BLOCK} } }
}`
