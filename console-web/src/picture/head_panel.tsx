// The head of the chain in a few lines: the newest beacon's hash, its height and time, and when the next is due.
import type { Beacon } from '../../../shared/wire/console_stream.ts'
import { heightAt } from '../chain/beacon_list.ts'
import { useChain } from '../chain/chain_context.ts'
import { type Interval, intervalWords, nextWords } from '../connection/countdown.ts'
import { useStore } from '../data/store.ts'
import { CopyButton } from '../ui/copy_button.tsx'
import { count } from '../ui/format.ts'
import { Time } from '../ui/time.tsx'
import { useServiceTime } from '../ui/use_now.ts'
import type { Tile } from './tile.ts'

type HeadPanelProps = { readonly tiles: readonly Tile[]; readonly interval: Interval }

export const HeadPanel = ({ tiles, interval }: HeadPanelProps) => {
  const { rows } = useStore(useChain().feed.state).list
  // The newest beacon may come a moment before its block. Its height then follows from the beacons before it.
  const height = heightAt(rows, 0, (beacon) => tiles.find(({ id }) => id === beacon)?.height)
  const head = rows[0]
  return (
    <section className="head-panel stack" aria-label="Head beacon">
      <div className="head-title line soft">
        <h1>Head beacon</h1>
        <p data-testid="head-height">{height === null ? '…' : `height ${count(height)}`}</p>
        <Next head={head} interval={interval} />
      </div>
      <div className="head-hash-line">
        {head === undefined ? (
          <div className="head-hash placeholder" aria-hidden="true" />
        ) : (
          <>
            <code className="head-hash" data-testid="head-hash">
              {head.hash.match(/.{8}/g)?.map((group, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a group is its place
                <span key={at}>{group}</span>
              ))}
            </code>
            <CopyButton text={head.hash} what="head hash" />
          </>
        )}
      </div>
      <p className="head-facts line note">
        {head !== undefined && (
          <>
            <Time isExact at={head.timestamp} />
            <span title={sourceOf[interval.source]}>
              {interval.source === 'assumed'
                ? 'interval not known yet'
                : `${interval.source === 'server' ? 'one every' : 'about one every'} ${intervalWords(interval.ms)}`}
            </span>
          </>
        )}
      </p>
    </section>
  )
}

// What changes with the clock stands by itself, so that nothing else renders again.
const Next = ({ head, interval }: { head: Beacon | undefined; interval: Interval }) => {
  const { phase } = useStore(useChain().feed.state).connection
  const now = useServiceTime((now) => now)
  const next = head && nextWords(Date.parse(head.timestamp), interval, phase !== 'offline', now)
  return (
    <p className="head-next" data-tone={next?.tone} data-testid="countdown" role="timer" aria-live="off">
      {next?.words ?? 'waiting for the head'}
    </p>
  )
}

const sourceOf: Readonly<Record<Interval['source'], string>> = {
  server: 'As the service tells it.',
  observed: 'The median gap of recent beacons.',
  assumed: 'There are not enough beacons yet to tell.',
}
