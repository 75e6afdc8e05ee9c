// What the picture shows, and how each message changes it: one pure function.
import type { CommitmentState, Epoch } from '../commitments/epoch.ts'
import { MOST_TILES, type Tile } from './tile.ts'

export type Picture = {
  /** Oldest first, the newest of the chain: heights ascend by exactly one. */
  readonly tiles: readonly Tile[]
  /** The newest blocks were read at least once. */
  readonly isRead: boolean
  /** The block that came last by the stream. Null when the newest was read. */
  readonly arrived: string | null
  /** Blocks are missing, or the chain is another one: the newest blocks must be read. */
  readonly isBehind: boolean
  /** Newest first, those that carry tiles or later blocks. */
  readonly epochs: readonly Epoch[]
  /** Why the newest blocks could not be read. Null when they were read. */
  readonly problem: string | null
  /** Items submitted since the newest block, oldest first. Null until they were counted. */
  readonly submitted: readonly Arrival[] | null
  /** Names of the newest items of the team, by the block that holds them. */
  readonly own: ReadonlyMap<string, readonly string[]>
  /** The team has an item, of which the newest were read. True as well where they cannot be read, null until then. */
  readonly hasItems: boolean | null
  readonly absences: readonly Absence[]
}

type Arrival = { readonly at: number; readonly items: number }

/** A time in which this page was not connected, in milliseconds of the server's clock. `to` is null while it lasts. */
export type Absence = { readonly from: number; readonly to: number | null }

export const EMPTY_PICTURE: Picture = {
  tiles: [],
  isRead: false,
  arrived: null,
  isBehind: false,
  epochs: [],
  problem: null,
  submitted: null,
  own: new Map(),
  hasItems: null,
  absences: [],
}

export type PictureChange =
  /** The page of the newest blocks, newest first. */
  | { readonly kind: 'read'; readonly tiles: readonly Tile[] }
  | { readonly kind: 'failed'; readonly why: string }
  | { readonly kind: 'block'; readonly tile: Tile }
  | { readonly kind: 'epochs'; readonly epochs: readonly Epoch[] }
  | {
      readonly kind: 'commitment'
      readonly epochId: string
      readonly state: CommitmentState
      readonly confirmedAt: string | null
    }
  /** The number of items that waited for the next block at that time. What came before is forgotten. */
  | ({ readonly kind: 'counted' } & Arrival)
  | ({ readonly kind: 'submitted' } & Arrival)
  | { readonly kind: 'own'; readonly own: Picture['own']; readonly hasItems: boolean }
  | { readonly kind: 'connection'; readonly isOffline: boolean; readonly now: number }
  /** The chain was replaced by another one. */
  | { readonly kind: 'replaced' }

export const changed = (state: Picture, change: PictureChange): Picture => {
  switch (change.kind) {
    case 'read':
      return settled({
        ...state,
        tiles: joined(change.tiles.toReversed(), state.tiles),
        isRead: true,
        isBehind: false,
        problem: null,
      })
    case 'failed':
      return { ...state, problem: change.why }
    case 'block':
      return settled(withBlock(state, change.tile))
    case 'epochs':
      return settled({ ...state, epochs: joinEpochs(state.epochs, change.epochs) })
    case 'commitment': {
      const { epochId, state: now, confirmedAt } = change
      const epochs = state.epochs.map((one) =>
        one.id === epochId ? { ...one, state: now, confirmedAt } : one,
      )
      return settled({ ...state, epochs })
    }
    case 'counted':
      return settled({ ...state, submitted: [change] })
    case 'submitted':
      return state.submitted === null ? state : { ...state, submitted: withArrival(state.submitted, change) }
    case 'own':
      return { ...state, own: change.own, hasItems: change.hasItems }
    case 'connection':
      return { ...state, absences: noteConnection(state.absences, change.isOffline, change.now) }
    case 'replaced': {
      const { isRead, hasItems, absences } = state
      return { ...EMPTY_PICTURE, isRead, hasItems, absences, isBehind: true }
    }
    default:
      return change satisfies never
  }
}

/** The page that was read, with what came by the stream after it. */
const joined = (read: readonly Tile[], held: readonly Tile[]): readonly Tile[] => {
  const newest = read.at(-1)
  const at = held.findIndex(({ id }) => id === newest?.id)
  return (at === -1 ? read : [...read, ...held.slice(at + 1)]).slice(-MOST_TILES)
}

const withBlock = (state: Picture, tile: Tile): Picture => {
  const { tiles } = state
  const [first] = tiles
  const last = tiles.at(-1)
  // Before the first page was read, that page is awaited.
  if (first === undefined || last === undefined || tile.height < first.height) return state
  if (tile.height === last.height + 1)
    return { ...state, tiles: [...tiles, tile].slice(-MOST_TILES), arrived: tile.id }
  const at = tile.height - first.height
  const known = tiles[at]
  if (known?.id !== tile.id) return { ...state, isBehind: true }
  return tile.committed && !known.committed ? { ...state, tiles: tiles.with(at, tile) } : state
}

/** What was read last counts, because a reorganisation may undo a confirmation. */
const joinEpochs = (held: readonly Epoch[], read: readonly Epoch[]): readonly Epoch[] =>
  [...new Map([...held, ...read].map((epoch) => [epoch.id, epoch])).values()].sort((a, b) =>
    a.closedAt === b.closedAt ? (a.id < b.id ? 1 : -1) : a.closedAt < b.closedAt ? 1 : -1,
  )

/** A confirmed epoch has committed its blocks, and the newest block holds what was submitted before it. */
const settled = (state: Picture): Picture => {
  const [first] = state.tiles
  const head = state.tiles.at(-1)
  if (first === undefined || head === undefined) return state
  const epochs = state.epochs.filter(({ lastId }) => lastId >= first.id)
  const confirmed = epochs.filter((epoch) => epoch.state === 'confirmed')
  const isCommitted = ({ id }: Tile): boolean =>
    confirmed.some(({ firstId, lastId }) => firstId <= id && id <= lastId)
  return {
    ...state,
    epochs,
    tiles: state.tiles.map((tile) =>
      !tile.committed && isCommitted(tile) ? { ...tile, committed: true } : tile,
    ),
    submitted: state.submitted?.filter(({ at }) => at > head.at) ?? null,
  }
}

/** Arrivals within this time are counted as one, so that a flood of items takes no memory. */
const TOGETHER_MS = 100
const MOST_ARRIVALS = 600

const withArrival = (arrivals: readonly Arrival[], { at, items }: Arrival): readonly Arrival[] => {
  const last = arrivals.at(-1)
  if (last !== undefined && (Math.abs(at - last.at) < TOGETHER_MS || arrivals.length >= MOST_ARRIVALS))
    return [...arrivals.slice(0, -1), { at: Math.max(at, last.at), items: last.items + items }]
  return [...arrivals, { at, items }]
}

/** Null until they were counted. */
export const countSubmitted = ({ submitted }: Picture): number | null =>
  submitted?.reduce((sum, { items }) => sum + items, 0) ?? null

const MOST_ABSENCES = 50

const noteConnection = (
  absences: readonly Absence[],
  isOffline: boolean,
  now: number,
): readonly Absence[] => {
  const last = absences.at(-1)
  const isOpen = last !== undefined && last.to === null
  if (isOffline === isOpen) return absences
  if (isOffline) return [...absences, { from: now, to: null }].slice(-MOST_ABSENCES)
  return last === undefined ? absences : [...absences.slice(0, -1), { ...last, to: now }]
}
