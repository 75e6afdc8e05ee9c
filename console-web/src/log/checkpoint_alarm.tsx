// The public log has shown two histories, or is not the one that was seen: both checkpoints, to copy.
import './log.css'
import { CopyButton } from '../ui/copy_button.tsx'
import { utc } from '../ui/format_time.ts'
import type { LogCheck } from './check_log.ts'

type AlarmProps = {
  readonly check: Extract<LogCheck, { kind: 'split' | 'strange' }>
  readonly onBeginAnew: () => void
}

export const CheckpointAlarm = ({ check, onBeginAnew }: AlarmProps) => (
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
