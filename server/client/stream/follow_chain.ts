// The chain as it grows, by height: from a block or a time on each block once and in order, over restarts of the service and of the
// reader. An absence of blocks is told as one, and so is a chain that took the place of another, or that does not hang together.
import { Complaint } from '../../../shared/cli/terminal.ts'
import { type Named, readNames } from '../../../shared/search/read_names.ts'
import type { Service } from '../ask/ask_service.ts'
import { type Going, untilAnswered } from '../ask/patience.ts'
import { LARGEST_PAGE, numberOf, queryOf, readListPage, textIn } from '../read/rows.ts'

export type FollowedBlock = Awaited<ReturnType<typeof blocks>>[number]

export type ChainEvent =
  | { readonly kind: 'block'; readonly block: FollowedBlock }
  /** No block was made between these two times. */
  | { readonly kind: 'absence'; readonly from: string; readonly until: string }
  /** The service has another chain now. It goes on at the height that both may have. */
  | { readonly kind: 'break'; readonly lost: FollowedBlock; readonly head: FollowedBlock }
  /** The next block does not continue the last one. Both are there, and it goes on with the next. */
  | { readonly kind: 'misfit'; readonly last: FollowedBlock; readonly next: FollowedBlock }

interface Reader extends Going {
  readonly service: Service
  /** The fields of a block that are wanted, with commas between. All of them when undefined. */
  readonly fields?: string
}

interface ChainFollower extends Reader {
  /** Milliseconds between two looks when there is nothing new. */
  readonly everyMs: number
}

/** Those that every reader needs. */
export const FOLLOWED_FIELDS = 'height,block_hash,previous_block_hash,finalized_at'

/** Between two full pages: half of what a caller may ask stays for others. */
const PAGE_REST_MS = 1_000

/** Blocks whose spans tell how long the next one may take. */
const SPANS = 5

/** Never ends by itself. @param first the height of the first block; its like may not exist yet */
export async function* followChain(reader: ChainFollower, first: number): AsyncGenerator<ChainEvent, never> {
  let pace = paceOf([])
  let last: FollowedBlock | undefined
  const begin = async (height: number): Promise<void> => {
    const lead = await blocks(reader, {
      'filter[height][gte]': String(Math.max(0, height - SPANS - 1)),
      'filter[height][lt]': String(height),
    })
    pace = paceOf(lead)
    last = lead.at(-1)
  }
  await begin(first)
  for (let from = first, quietSince = performance.now(), isToldQuiet = false; ; ) {
    const page = await blocks(reader, { 'filter[height][gte]': String(last?.height ?? from) })
    const isFull = page.length === LARGEST_PAGE
    const known: FollowedBlock | undefined = last === undefined ? undefined : page.shift()
    if (last !== undefined && !isSame(known, last)) {
      const [head] = await blocks(reader, { sort: '-height', 'page[limit]': '1' })
      // A server whose database is behind has not got it yet.
      if (head !== undefined && !isSame(head, last)) {
        yield { kind: 'break', lost: last, head }
        from = Math.min(last.height, head.height)
        await begin(from)
      }
      await reader.rest(reader.everyMs)
      continue
    }
    for (const block of page) {
      // A page is one look at the chain, so this does not pass.
      if (last !== undefined && !follows(block, last)) yield { kind: 'misfit', last, next: block }
      const absentSince = pace.absentSince(block)
      if (absentSince !== undefined) yield { kind: 'absence', from: absentSince, until: block.at }
      pace.take(block)
      last = block
      yield { kind: 'block', block }
    }
    if (page.length > 0) {
      quietSince = performance.now()
      isToldQuiet = false
    } else if (!isToldQuiet && last !== undefined && performance.now() - quietSince > pace.longestMs()) {
      isToldQuiet = true
      reader.terminal.note(`! No block since ${last.at}.`)
    }
    await reader.rest(isFull ? Math.min(PAGE_REST_MS, reader.everyMs) : reader.everyMs)
  }
}

const isSame = (one: FollowedBlock | undefined, other: FollowedBlock): boolean =>
  one?.height === other.height && one.hash === other.hash

const follows = (block: FollowedBlock, last: FollowedBlock): boolean =>
  block.height === last.height + 1 && block.previousHash === last.hash

/** Blocks of the service, in ascending order of height unless the query says otherwise. */
async function blocks(reader: Reader, query: Readonly<Record<string, string>>) {
  const { service, fields } = reader
  const path = `/api/json/blocks${queryOf({
    sort: 'height',
    'page[limit]': String(LARGEST_PAGE),
    ...(fields === undefined ? {} : { 'fields[block]': fields }),
    ...query,
  })}`
  const { rows } = await untilAnswered(reader, () => readListPage(service, path))
  return rows.map((row) => ({
    height: numberOf(row, 'height'),
    hash: textIn(row, 'block_hash'),
    previousHash: textIn(row, 'previous_block_hash'),
    /** ISO 8601. */
    at: textIn(row, 'finalized_at'),
    row,
  }))
}

/** A span is an absence when it is much longer than those before it, and not only some seconds longer. */
const LONG = { times: 3, leastMs: 30_000 } as const

/** Before there are blocks to judge by: about one a minute. */
const USUAL_MS = 60_000

function paceOf(lead: readonly FollowedBlock[]) {
  const times: number[] = []
  const take = ({ at }: Pick<FollowedBlock, 'at'>): void => {
    times.push(Date.parse(at))
    if (times.length > SPANS + 1) times.shift()
  }
  for (const block of lead) take(block)
  const longestMs = (): number => {
    const spans = times.slice(1).map((time, index) => time - (times[index] ?? time))
    const usual = spans.sort((one, other) => one - other)[Math.floor(spans.length / 2)] ?? USUAL_MS
    return Math.max(LONG.leastMs, LONG.times * usual)
  }
  return {
    take,
    longestMs,
    /** The time of the block before, when there was none for long. */
    absentSince: ({ at }: FollowedBlock): string | undefined => {
      const before = times.at(-1)
      if (before === undefined || Date.parse(at) - before <= longestMs()) return undefined
      return new Date(before).toISOString()
    },
  }
}

/**
 * The height of the first block to tell. It is beyond the newest one when all that is told is still to come.
 * @throws Complaint when the place is none
 */
export async function chainStart(
  reader: Reader,
  start: { readonly newest: number } | { readonly since: string },
): Promise<number> {
  if ('newest' in start) return Math.max(0, (await headHeight(reader)) + 1 - start.newest)
  const { since } = start
  const names = readNames(since, Date.now())
  // Ten digits may be a height, too. A chain of that height is longer than any.
  const place = names.find(({ kind }) => kind === 'time') ?? names[0]
  const block = place === undefined ? undefined : await blockAt(reader, place)
  if (block !== undefined) return block.height + (place?.kind === 'time' ? 0 : 1)
  if (place?.kind === 'time') return (await headHeight(reader)) + 1
  const isPlace = place !== undefined && questionOf(place) !== undefined
  throw new Complaint(isPlace ? `There is no block ${since}.` : `${since} names no block.`, {
    exitCode: isPlace ? 1 : 2,
    advice:
      '--since takes the height, the hash or the id of a block, or a time such as 2026-11-26T18:00:00Z.',
  })
}

async function headHeight(reader: Reader): Promise<number> {
  const [head] = await blocks(reader, { sort: '-height', 'page[limit]': '1' })
  return head?.height ?? -1
}

async function blockAt(reader: Reader, place: Named): Promise<FollowedBlock | undefined> {
  const query = questionOf(place)
  return query === undefined ? undefined : (await blocks(reader, { ...query, 'page[limit]': '1' }))[0]
}

/** Undefined for what no block is called by. */
function questionOf(place: Named): Readonly<Record<string, string>> | undefined {
  switch (place.kind) {
    case 'height':
      return { 'filter[height]': String(place.height) }
    case 'hash':
      return { 'filter[block_hash]': place.hash }
    case 'id':
      return { 'filter[id]': place.id }
    case 'time':
      return { 'filter[finalized_at][gte]': new Date(place.from).toISOString(), sort: 'finalized_at' }
    case 'item':
    case 'message':
    case 'digest':
      return undefined
    default:
      return place satisfies never
  }
}
