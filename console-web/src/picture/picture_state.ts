// What the picture shows, and how each message changes it. Pure functions.
import type { Absence } from './absences.ts'
import { type CommitmentState, type Epoch, joinEpochs } from './epoch.ts'
import { addSubmitted, afterBlock, nothingSubmitted, type Submitted } from './submitted.ts'
import type { Tile } from './tile.ts'
import { commitTiles, joinTiles, noTiles, type TileList } from './tile_list.ts'

export type OlderTiles = 'unknown' | 'idle' | 'loading' | 'failed' | 'end' | 'bounded'

export type PictureState = {
  readonly list: TileList
  readonly epochs: readonly Epoch[]
  readonly older: OlderTiles
  /** Why the newest blocks could not be read. Null when they were read. */
  readonly problem: string | null
  /** Null until it has been counted. */
  readonly submitted: Submitted | null
  readonly absences: readonly Absence[]
}

export const emptyPicture: PictureState = {
  list: noTiles,
  epochs: [],
  older: 'unknown',
  problem: null,
  submitted: null,
  absences: [],
}

/**
 * Adds blocks that were read or announced. Null when blocks between them and the picture are missing, or when
 * the chain is another one: the newest blocks must then be read.
 */
export const withTiles = (state: PictureState, tiles: readonly Tile[]): PictureState | null => {
  const joining = joinTiles(state.list, tiles)
  if (joining.kind !== 'joined') return null
  return settled({ ...state, list: joining.list })
}

/** Begins with these blocks and forgets the ones before, which do not continue to them. */
export const begunWith = (state: PictureState, tiles: readonly Tile[]): PictureState =>
  withTiles({ ...state, list: noTiles, epochs: [], older: 'unknown' }, tiles) ?? state

/** Keeps the newest tiles. Older ones can be read again. */
export const withNewest = (state: PictureState, most: number): PictureState => {
  const tiles = state.list.tiles.slice(-most)
  const first = tiles[0]
  if (first === undefined || tiles.length === state.list.tiles.length) return state
  const epochs = state.epochs.filter(({ lastId }) => lastId >= first.id)
  return { ...state, list: { tiles, trimmed: false }, epochs, older: 'idle' }
}

export const withEpochs = (state: PictureState, epochs: readonly Epoch[]): PictureState =>
  settled({ ...state, epochs: joinEpochs(state.epochs, epochs) })

/** Null when the epoch is not known: the epochs must then be read. */
export const withCommitment = (
  state: PictureState,
  epochId: string,
  commitment: { readonly state: CommitmentState; readonly confirmedAt: string | null },
): PictureState | null => {
  if (!state.epochs.some(({ id }) => id === epochId)) return null
  return settled({
    ...state,
    epochs: state.epochs.map((epoch) => (epoch.id === epochId ? { ...epoch, ...commitment } : epoch)),
  })
}

export const withSubmitted = (state: PictureState, at: number, items: number): PictureState => ({
  ...state,
  submitted: addSubmitted(state.submitted ?? nothingSubmitted, at, items),
})

/** A confirmed epoch has committed its blocks, and the newest block holds what was submitted before it. */
const settled = (state: PictureState): PictureState => {
  const head = state.list.tiles.at(-1)
  const list = commitTiles(
    state.list,
    state.epochs.filter((epoch) => epoch.state === 'confirmed'),
  )
  const first = list.tiles[0]
  const older =
    first?.height === 0
      ? 'end'
      : list.trimmed
        ? 'bounded'
        : first !== undefined && state.older === 'unknown'
          ? 'idle'
          : state.older
  return {
    ...state,
    list,
    older,
    submitted:
      state.submitted === null || head === undefined ? state.submitted : afterBlock(state.submitted, head.at),
  }
}
