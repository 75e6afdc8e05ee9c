// One thing that a search found, in words, and the page it leads to.
import { type JsonObject, memberAt } from '../../../shared/proof/json_value.ts'
import { type ItemName, questionOf } from '../../../shared/search/question_of.ts'
import type { Named } from '../../../shared/search/read_names.ts'
import { blockStage, blockWords, itemStage, stageWords } from '../commitments/proof_stage.ts'
import type { Api } from '../data/api_client.ts'
import { ApiFailure } from '../data/api_failure.ts'
import { isJsonObject, listOf, numberAt, objectAt, shape, textAt, textOrNull } from '../data/shape.ts'
import { sourceTitle } from '../entropy/source_title.ts'
import { capital, count, plural, utc } from '../ui/format.ts'
import { nameText } from '../ui/shown_text.tsx'

export type Found = {
  /** What it is: the name of a reader, or `range`. */
  readonly kind: string
  /** Such as `Block 4,711`. May contain text of other people: show it with `Shown`. */
  readonly title: string
  readonly detail: string
  /** The path of its page. */
  readonly to: string
}

/** `field` is a field of the answer to a question. Null for a row that this page cannot read. */
const foundOf = (field: string, row: JsonObject): Found | null => {
  const [kind = '', reason = ''] = field.split('_')
  const read = READERS.get(kind)
  return read === undefined ? null : { kind, ...read(row, reason) }
}

const text = (row: JsonObject | null, name: string): string => textAt(row, name) ?? ''
const at = (row: JsonObject, name: string): string => {
  const time = textAt(row, name)
  return time === null || Number.isNaN(Date.parse(time)) ? '' : `${utc(time)} UTC`
}
const joined = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join(' · ')
/** Closed words arrive in capitals, such as `COMMITTED`. */
const word = (row: JsonObject, name: string): string => text(row, name).toLowerCase().replaceAll('_', ' ')
const onChain = (row: JsonObject): string => joined(text(row, 'chain'), text(row, 'network'))

const WHY: Readonly<Record<string, string>> = {
  after: 'the first at or after that time',
  before: 'the last before that time',
  begin: 'the first of all: the chain begins after that time',
  itemHash: 'by its item hash',
  claimsHash: 'by the hash of its claims',
  digest: 'by the digest in its claims',
}

const itemWords = (row: JsonObject): string =>
  stageWords(itemStage({ state: word(row, 'state'), proofAvailableAt: textAt(row, 'proofAvailableAt') }))
const itemTitle = (row: JsonObject): string => {
  const name = text(row, 'displayName')
  return name === '' ? `Item ${text(row, 'id')}` : `Item “${nameText(name)}”`
}

const epochWords = (row: JsonObject | null): string =>
  `epoch ${count(numberAt(row, 'sequence') ?? 0)} of ${plural(numberAt(row, 'blockCount') ?? 0, 'block')}`

/** An epoch has no page of its own. */
const FIRST = 'leads to its first block'

/** `reason` is why it was found, for a kind that is found for several reasons. */
type Reader = (row: JsonObject, reason: string) => Omit<Found, 'kind'>

/** By the kind of a row. */
const READERS: ReadonlyMap<string, Reader> = new Map(
  Object.entries<Reader>({
    block: (row, reason) => ({
      title: `Block ${count(numberAt(row, 'height') ?? 0)}`,
      detail: joined(at(row, 'finalizedAt'), blockWords(blockStage(word(row, 'state'))), WHY[reason] ?? ''),
      to: `/blocks/${text(row, 'id')}`,
    }),
    item: (row, reason) => ({
      title: itemTitle(row),
      detail: joined(at(row, 'insertedAt'), itemWords(row), WHY[reason] ?? ''),
      to: `/items/${text(row, 'id')}`,
    }),
    observation: (row) => ({
      title: `Entropy: ${sourceTitle(text(row, 'source').toLowerCase())}`,
      detail: at(row, 'insertedAt'),
      to: `/entropy/${text(row, 'id')}`,
    }),
    epoch: (row) => ({
      title: capital(epochWords(row)),
      detail: joined(onChain(row), FIRST, at(row, 'closedAt')),
      to: `/blocks/${text(row, 'firstBlockId')}`,
    }),
    commitment: (row) => ({
      title: `Commitment of ${epochWords(objectAt(row, 'epoch'))}`,
      detail: joined(onChain(row), word(row, 'state'), FIRST),
      to: `/blocks/${text(objectAt(row, 'epoch'), 'firstBlockId')}`,
    }),
    endpoint: (row) => ({
      title: 'Webhook endpoint',
      detail: text(row, 'url'),
      to: `/webhooks/${text(row, 'id')}`,
    }),
    delivery: (row) => ({
      title: `Delivery of ${text(row, 'eventType')}`,
      detail: joined(word(row, 'status'), at(row, 'insertedAt')),
      to: `/webhooks/deliveries/${text(row, 'id')}`,
    }),
    team: (row) => ({
      title: `Team “${nameText(text(row, 'name'))}”`,
      detail: '',
      to: `/account/teams/${text(row, 'id')}`,
    }),
    membership: (row) => ({
      title: 'Membership',
      detail: word(row, 'role'),
      to: `/account/teams/${text(row, 'teamId')}`,
    }),
    key: (row) => ({
      title: `API key “${nameText(text(row, 'name'))}”`,
      detail: text(row, 'prefix'),
      to: '/account/keys',
    }),
  }),
)

/** The rows of the chain between two times, in milliseconds. */
const foundRange = (fromMs: number, toMs: number): Found => {
  const [from, to] = [fromMs, toMs].map((ms) => new Date(ms).toISOString())
  return {
    kind: 'range',
    title: `Blocks of ${utc(from ?? '')} to ${utc(to ?? '')} UTC`,
    detail: 'rows of the chain',
    to: `/chain?from=${from}&to=${to}`,
  }
}

/**
 * Empty when there is nothing of this name that the caller may read.
 * @throws ApiFailure, or the signal's reason when aborted
 */
export const findNamed = async (
  api: Pick<Api, 'post'>,
  named: Named | ItemName,
  signal: AbortSignal,
): Promise<readonly Found[]> => {
  const answer = await api.post('/gql', questionOf(named), {
    signal,
    contentType: 'application/json',
  })
  const data = objectAt(answer, 'data')
  const [refused] = readErrors(memberAt(answer, 'errors'))
  // What does not exist is null without an error. An error means that the answer is not complete.
  if (data === null || refused !== undefined)
    throw new ApiFailure('server', refused?.message ?? 'The service could not look for it.')
  if (named.kind === 'time') return ofTime(named, data)
  return Object.entries(data).flatMap(([field, value]) =>
    rowsOf(value).flatMap((row) => foundOf(field, row) ?? []),
  )
}

/** Around a moment, the rows of half an hour on either side. */
const HALF_AROUND_MS = 1_800_000

/** The rows of that time, and the blocks around its beginning. Where the chain begins later, its first block alone. */
const ofTime = ({ from, until }: Extract<Named, { kind: 'time' }>, data: JsonObject): readonly Found[] => {
  const [[after], [before]] = [rowsOf(data.block_after), rowsOf(data.block_before)]
  const isSpan = until !== null && until - from > 2 * HALF_AROUND_MS
  const [first, last] = isSpan ? [from, until - 1] : [from - HALF_AROUND_MS, from + HALF_AROUND_MS]
  const isFirst = before === undefined && numberAt(after, 'height') === 0
  const isEarlier = isFirst && Date.parse(textAt(after, 'finalizedAt') ?? '') > last
  return [
    ...(isEarlier || (after === undefined && before === undefined) ? [] : [foundRange(first, last)]),
    ...(after === undefined ? [] : [foundOf(isFirst ? 'block_begin' : 'block_after', after)]),
    ...(before === undefined ? [] : [foundOf('block_before', before)]),
  ].filter((one) => one !== null)
}

/** A field is one row, null, or a page of rows. */
const rowsOf = (value: unknown): readonly JsonObject[] => {
  if (!isJsonObject(value)) return []
  const { results } = value
  return Array.isArray(results) ? results.filter(isJsonObject) : [value]
}

const readErrors = listOf(shape({ message: textOrNull }))
