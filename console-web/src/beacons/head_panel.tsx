// The head panel: the head beacon's hash, its age, its height, and when the next beacon is due.
import './beacons.css'
import type { Beacon } from '../../../shared/wire/console_stream.ts'
import { CopyButton } from '../ui/copy_button.tsx'
import { count, duration, localTime, utc } from '../ui/format_time.ts'
import { LightStrip } from '../ui/light_strip.tsx'
import { useNow } from '../ui/use_now.ts'
import { countdown, type Interval } from './countdown.ts'
import { CountdownRing } from './countdown_ring.tsx'

type HeadPanelProps = {
  readonly head: Beacon | null
  /** Null until the block behind it has been read. */
  readonly height: number | null
  readonly interval: Interval
  readonly clockOffset: number
  readonly connected: boolean
}

export const HeadPanel = ({ head, height, interval, clockOffset, connected }: HeadPanelProps) => {
  const now = useNow() + clockOffset
  const headAt = head === null ? null : Date.parse(head.timestamp)
  return (
    <section className="head-panel" aria-label="Head beacon">
      <CountdownRing
        countdown={headAt === null ? null : countdown(headAt, interval, now)}
        headId={head?.id ?? null}
        connected={connected}
      />
      <div className="head-plate">
        <div className="head-title">
          <h1>Head beacon</h1>
          {head !== null && <CopyButton text={head.hash} what="head hash" />}
        </div>
        {head === null || headAt === null ? (
          <div className="head-hash placeholder" aria-hidden="true" />
        ) : (
          <>
            <code className="head-hash" data-testid="head-hash" key={head.hash}>
              {groupsOf(head.hash).map((group) => (
                <span key={group.at}>{group.text}</span>
              ))}
            </code>
            <LightStrip hash={head.hash} className="light-strip head-strip" />
            <dl className="readings">
              <div>
                <dt>Age</dt>
                <dd data-testid="head-age">{duration(now - headAt)}</dd>
              </div>
              <div>
                <dt>Height</dt>
                <dd data-testid="head-height">{height === null ? '…' : count(height)}</dd>
              </div>
              <div>
                <dt>Interval</dt>
                <dd title={sourceOf[interval.source]}>
                  {interval.source === 'server' ? '' : '≈ '}
                  {duration(interval.ms)}
                </dd>
              </div>
              <div className="wide">
                <dt>Finalized</dt>
                <dd>
                  <time dateTime={head.timestamp} title={localTime(head.timestamp)}>
                    {utc(head.timestamp, true)} <small>UTC</small>
                  </time>
                </dd>
              </div>
            </dl>
          </>
        )}
      </div>
    </section>
  )
}

const sourceOf: Readonly<Record<Interval['source'], string>> = {
  server: 'As the service tells it.',
  observed: 'The median gap of recent beacons.',
  assumed: 'Assumed until there are enough beacons to tell.',
}

/** Groups of four without characters between them, so that selecting and copying gives only the hash. */
const groupsOf = (hash: string): readonly { at: number; text: string }[] =>
  Array.from({ length: hash.length / 4 }, (_, index) => ({
    at: index,
    text: hash.slice(index * 4, index * 4 + 4),
  }))
