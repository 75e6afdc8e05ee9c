// The newest blocks of the public log, and what was checked about them in this browser. Says nothing that was not
// computed.
import { HashGroups } from '../ui/hash_groups.tsx'
import './door.css'
import { useState } from 'react'
import { CheckpointAlarm } from '../log/checkpoint_alarm.tsx'
import { dropSeenLog } from '../log/seen_log.ts'
import { count, plural } from '../ui/format_count.ts'
import { duration, localTime, utc, utcClock } from '../ui/format_time.ts'
import { useNow } from '../ui/use_now.ts'
import type { LogLook } from './look_at_log.ts'
import { type PublicLog, usePublicLog } from './use_public_log.ts'

export const LiveLog = () => {
  const [begun, setBegun] = useState(0)
  const beginAnew = (): void => {
    dropSeenLog()
    setBegun(begun + 1)
  }
  return <Watched key={begun} onBeginAnew={beginAnew} />
}

const Watched = ({ onBeginAnew }: { onBeginAnew: () => void }) => {
  const { look, failure, since } = usePublicLog()
  return (
    <div data-testid="live-log" data-state={look?.kind ?? 'reading'}>
      {look === null && failure === null && <p className="live-log-note">Reading the public log…</p>}
      {failure !== null && (
        <p className="live-log-note" data-failed="true">
          The public log could not be read{look === null ? '' : ' again'}. {failure}
        </p>
      )}
      {look !== null && <Look look={look} since={since} onBeginAnew={onBeginAnew} />}
    </div>
  )
}

type LookProps = {
  readonly look: LogLook
  readonly since: PublicLog['since']
  readonly onBeginAnew: () => void
}

const Look = ({ look, since, onBeginAnew }: LookProps) => {
  switch (look.kind) {
    case 'none':
      return <p className="live-log-note">There is no checkpoint yet.</p>
    case 'alarm':
      return <CheckpointAlarm check={look.check} onBeginAnew={onBeginAnew} />
    case 'contradiction':
      return (
        <p className="live-log-wrong" role="alert">
          <strong>The public log contradicts itself.</strong> {look.why}
        </p>
      )
    case 'checked':
      return <Checked look={look} since={since} />
    default:
      return look satisfies never
  }
}

type CheckedProps = {
  readonly look: Extract<LogLook, { kind: 'checked' }>
  readonly since: PublicLog['since']
}

const Checked = ({ look: { check, signer, blocks }, since }: CheckedProps) => {
  const [newest, ...before] = blocks
  if (newest === undefined) return <p className="live-log-note">There is no block yet.</p>
  const newestAt = new Date(newest.at).toISOString()
  return (
    <>
      <div className="live-log-blocks">
        <div className="live-head">
          <h3>Newest block</h3>
          <code className="live-hash" data-testid="live-hash">
            <HashGroups hash={newest.hash} />
          </code>
          <dl className="live-facts">
            <div>
              <dt>Height</dt>
              <dd data-testid="live-height">{count(newest.height)}</dd>
            </div>
            <div>
              <dt>Age</dt>
              <dd>
                <Age at={newest.at} />
              </dd>
            </div>
            <div>
              <dt>Made</dt>
              <dd>
                <time dateTime={newestAt} title={localTime(newestAt)}>
                  {utc(newestAt)} <small>UTC</small>
                </time>
              </dd>
            </div>
          </dl>
        </div>
        <div>
          <h3>Before it</h3>
          <ol className="live-before">
            {before.map(({ height, hash, at }) => (
              <li key={height}>
                <span>{count(height)}</span>
                <code>{hash.slice(0, 16)}…</code>
                <time dateTime={new Date(at).toISOString()}>{utcClock(new Date(at).toISOString())}</time>
              </li>
            ))}
          </ol>
        </div>
      </div>
      <ul className="live-checks" aria-label="Checked in this browser">
        <li>
          The checkpoint over {plural(check.size, 'block')} is signed by <code>{signer}</code>.
        </li>
        <li data-first={since === null}>
          {since === null
            ? 'This browser sees the log for the first time. The next visit is compared with it.'
            : `It continues what you saw here on ${utc(since)} UTC.`}
        </li>
        <li>
          {blocks.length === 1 ? 'This block is' : `These ${count(blocks.length)} blocks are`} in it; every
          hash and link was computed here.
        </li>
      </ul>
    </>
  )
}

const Age = ({ at }: { at: number }) => <>{duration(useNow() - at)}</>
