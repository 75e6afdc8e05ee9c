// One line about the public log: whether it continues what this browser saw before. Two histories are an alarm, with
// both checkpoints to copy.
import './log.css'
import { useState } from 'react'
import { CopyButton } from '../ui/copy_button.tsx'
import { count, localTime, utc } from '../ui/format_time.ts'
import type { LogCheck } from './check_log.ts'
import { dropSeenLog } from './seen_log.ts'
import { useLogCheck } from './use_log_check.ts'

export const LogLine = () => {
  const [begun, setBegun] = useState(0)
  const beginAnew = (): void => {
    dropSeenLog()
    setBegun(begun + 1)
  }
  return <Checked key={begun} onBeginAnew={beginAnew} />
}

const Checked = ({ onBeginAnew }: { onBeginAnew: () => void }) => {
  const { check, failure, since } = useLogCheck()
  if (check?.kind === 'split' || check?.kind === 'strange')
    return <Alarm check={check} onBeginAnew={onBeginAnew} />
  return (
    <p className="log-line" data-testid="log-line" data-state={failure === null ? check?.kind : 'failed'}>
      {failure !== null
        ? `The public log could not be checked: ${failure}`
        : check === null
          ? 'Public log: being checked…'
          : wordsFor(check, since)}
    </p>
  )
}

const wordsFor = (
  check: Extract<LogCheck, { kind: 'none' | 'first' | 'consistent' }>,
  since: string | null,
) => {
  switch (check.kind) {
    case 'none':
      return 'Public log: there is no checkpoint to check yet.'
    case 'first':
      return `Public log: ${count(check.size)} blocks, seen here for the first time. The next visit is compared with them.`
    case 'consistent':
      return (
        <>
          Public log: {count(check.size)} blocks, consistent with what you saw on{' '}
          <time dateTime={since ?? check.seen.seenAt} title={localTime(since ?? check.seen.seenAt)}>
            {utc(since ?? check.seen.seenAt)} UTC
          </time>
          .
        </>
      )
    default:
      return check satisfies never
  }
}

type AlarmProps = {
  readonly check: Extract<LogCheck, { kind: 'split' | 'strange' }>
  readonly onBeginAnew: () => void
}

const Alarm = ({ check, onBeginAnew }: AlarmProps) => (
  <div className="log-alarm" role="alert" data-testid="log-line" data-state={check.kind}>
    {check.kind === 'split' ? (
      <p>
        <strong>The public log has shown two histories.</strong> Its own signature is under both checkpoints,
        and it has no valid proof that one continues the other. They are evidence: keep them, and compare with
        others.
      </p>
    ) : (
      <p>
        <strong>The public log is not the one that was seen here.</strong> {check.why}
      </p>
    )}
    {check.before !== null && (
      <>
        <p>
          Seen here on {utc(check.before.seenAt)} UTC{' '}
          <CopyButton text={check.before.checkpoint} what="checkpoint seen before" caption="Copy it" />
        </p>
        <pre>{check.before.checkpoint}</pre>
      </>
    )}
    <p>
      Shown now <CopyButton text={check.now} what="checkpoint shown now" caption="Copy it" />
    </p>
    <pre>{check.now}</pre>
    <p>
      Keep both first. An operator who retired the log tells why at <code>/log/history</code>.{' '}
      <button type="button" className="text-button" onClick={onBeginAnew}>
        Begin anew with what is shown now
      </button>
    </p>
  </div>
)
