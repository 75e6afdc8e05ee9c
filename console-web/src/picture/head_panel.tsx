// The head of the chain in a few lines: the newest beacon's hash, its height and time, and when the next is due.
import './picture.css'
import type { Beacon } from '../../../shared/wire/console_stream.ts'
import { type Interval, intervalWords, nextWords } from '../connection/countdown.ts'
import { CopyButton } from '../ui/copy_button.tsx'
import { count } from '../ui/format.ts'
import { Time } from '../ui/time.tsx'
import { useNow } from '../ui/use_now.ts'

type HeadPanelProps = {
  readonly head: Beacon | null
  /** Null until the block behind it has been read. */
  readonly height: number | null
  readonly interval: Interval
  readonly clockOffset: number
  readonly isConnected: boolean
}

export const HeadPanel = ({ head, height, interval, clockOffset, isConnected }: HeadPanelProps) => {
  const headAt = head === null ? null : Date.parse(head.timestamp)
  return (
    <section className="head-panel stack" aria-label="Head beacon">
      <div className="head-title line">
        <h1>Head beacon</h1>
        <p data-testid="head-height">{height === null ? '…' : `height ${count(height)}`}</p>
        <Next headAt={headAt} interval={interval} clockOffset={clockOffset} isConnected={isConnected} />
      </div>
      {head === null || headAt === null ? (
        <>
          <div className="head-hash-line">
            <div className="head-hash placeholder" aria-hidden="true" />
          </div>
          <p className="head-facts line" />
        </>
      ) : (
        <>
          <div className="head-hash-line">
            <code className="head-hash" data-testid="head-hash">
              <HashGroups hash={head.hash} />
            </code>
            <CopyButton text={head.hash} what="head hash" />
          </div>
          <p className="head-facts line">
            <Time isExact at={head.timestamp} />
            <span title={sourceOf[interval.source]}>
              {interval.source === 'assumed'
                ? 'interval not known yet'
                : `${interval.source === 'server' ? 'one every' : 'about one every'} ${intervalWords(interval.ms)}`}
            </span>
          </p>
        </>
      )}
    </section>
  )
}

type NextProps = Pick<HeadPanelProps, 'interval' | 'clockOffset' | 'isConnected'> & {
  /** Null before the first beacon. */
  readonly headAt: number | null
}

// What changes with the clock stands by itself, so that nothing else renders again.
const Next = ({ headAt, interval, clockOffset, isConnected }: NextProps) => {
  const now = useNow() + clockOffset
  const next = headAt === null ? null : nextWords(headAt, interval, isConnected, now)
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

const HashGroups = ({ hash }: { hash: string }) =>
  Array.from({ length: hash.length / GROUP }, (_, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a group is its place
    <span key={at}>{hash.slice(at * GROUP, (at + 1) * GROUP)}</span>
  ))

const GROUP = 8
