// The picture in words: a tile, the whole picture, and the lanes below it.
import { chainName, type Epoch } from '../commitments/epoch.ts'
import { blockWords } from '../commitments/proof_stage.ts'
import { capital, count, dayAndTime, plural, span, utc, utcClock, utcDay } from '../ui/format.ts'
import { shownText } from '../ui/shown_text.tsx'
import type { Lane } from './lanes.ts'
import type { Place } from './layout.ts'

export const tileName = ({ tile, tookMs, gap }: Place): string =>
  [
    `Block ${count(tile.height)}`,
    blockWords(tile.committed ? 'ready' : 'waiting'),
    itemWords(tile.items),
    ...(gap === null ? [] : [`after ${span(gap.ms)} without a block`]),
    ...(tookMs === null ? [] : [`took ${span(tookMs)}`]),
    `${utcClock(tile.at)} UTC`,
  ].join(', ')

/** The epochs are those that carry the block, the names those of the team's newest items in it. */
export const tileWords = (
  { tile, tookMs, gap }: Place,
  epochs: readonly Epoch[],
  names: readonly string[] = [],
): string =>
  [
    `${utc(tile.at, true)} UTC`,
    ...(tookMs === null ? [] : [`took ${span(tookMs)}${gap === null ? '' : ', overdue'}`]),
    tile.observations === 0
      ? itemWords(tile.items)
      : `${itemWords(tile.items)}, ${count(tile.observations)} of entropy`,
    ...(names.length === 0 ? [] : [`yours: ${names.slice(0, MOST_NAMES).map(shownText).join(', ')}`]),
    ...(epochs.length === 0
      ? [blockWords(tile.committed ? 'ready' : 'waiting')]
      : epochs.map((epoch) => `${EPOCH_WORDS[epoch.state]} ${chainName(epoch)}`)),
  ].join(' · ')

/** Names that stand in the line. The block's page has all. */
const MOST_NAMES = 3

/** Before the name of the chain. */
const EPOCH_WORDS: Readonly<Record<Epoch['state'], string>> = {
  confirmed: 'on',
  submitted: 'its transaction waits on',
  pending: 'waits for its transaction on',
  failed: 'its transaction failed on',
}

/** For screen readers, and for everybody while no tile is looked at. */
export const summaryWords = (places: readonly Place[]): string => {
  const first = places[0]
  const last = places.at(-1)
  if (first === undefined || last === undefined) return 'No block has been read yet.'
  const committed = places.filter(({ tile }) => tile.committed).length
  const gaps = places.filter(({ gap }) => gap !== null).length
  return [
    `${plural(places.length, 'block')} since ${since(first.tile.at, last.tile.at)}`,
    `${committed === places.length ? 'all' : count(committed)} ${blockWords('ready')}`,
    ...(gaps === 0 ? [] : [plural(gaps, 'gap')]),
  ].join(', ')
}

export const laneWords = ({ chain, network, brackets, next }: Lane): string => {
  const confirmed = brackets.filter(({ epoch }) => epoch.state === 'confirmed').at(-1)?.epoch
  const waiting = brackets.filter(({ epoch }) => epoch.state !== 'confirmed').length
  const upTo =
    confirmed === undefined || confirmed.confirmedAt === null
      ? 'nothing confirmed yet'
      : `last confirmed ${utcClock(confirmed.confirmedAt)} UTC`
  return [
    `${capital(chainName({ chain, network }))}: ${upTo}`,
    ...(waiting === 0 ? [] : [waiting === 1 ? '1 epoch waits' : `${count(waiting)} epochs wait`]),
    ...(next === null ? [] : [`${plural(next.blocks, 'block')} in no epoch yet`]),
  ].join(' · ')
}

export const itemWords = (items: number): string => plural(items, 'item')

/** Without the day when it is the day of the newest block. */
const since = (first: number, last: number): string =>
  utcDay(first) === utcDay(last) ? `${utcClock(first)} UTC` : dayAndTime(first)
