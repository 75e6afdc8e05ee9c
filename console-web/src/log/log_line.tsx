// One line about the public log: whether it continues what this browser saw before.
import './log.css'
import { useEffect, useState } from 'react'
import { openApi } from '../data/api_client.ts'
import { messageOf } from '../data/api_failure.ts'
import { useConsoleIfSignedIn } from '../data/console_context.ts'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy_button.tsx'
import { dayAndTime, plural } from '../ui/format.ts'
import { Time } from '../ui/time.tsx'
import { checkLog, dropSeenLog, keepSeenLog, type LogCheck, readSeenLog } from './check_log.ts'

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
    return <CheckpointAlarm check={check} onBeginAnew={onBeginAnew} />
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

const wordsFor = (check: Exclude<LogCheck, AlarmProps['check']>, since: string | null) => {
  if (check.kind === 'none') return 'Public log: there is no checkpoint to check yet.'
  const blocks = `Public log: ${plural(check.size, 'block')}`
  if (check.kind === 'first')
    return `${blocks}, seen here for the first time. The next visit is compared with them.`
  const seenAt = since ?? check.seen.seenAt
  return (
    <>
      {blocks}, consistent with what you saw on <Time at={seenAt}>{dayAndTime(seenAt)}</Time>.
    </>
  )
}

const EVERY_MS = 300_000

/** Checks when the page opens, and now and then while it stays open. */
const useLogCheck = () => {
  // Without a sign-in, the log is open to everybody.
  const files = useConsoleIfSignedIn()?.api ?? openApi
  /** When the checkpoint was seen that was remembered as the page opened, or that the page saw first. */
  const [since, setSince] = useState(() => readSeenLog()?.seenAt ?? null)
  /** Null until the first one was computed. */
  const [check, setCheck] = useState<LogCheck | null>(null)
  /** Why the last attempt told nothing. */
  const [failure, setFailure] = useState<string | null>(null)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let left = false
    const run = async (): Promise<void> => {
      try {
        const next = await checkLog(files, readSeenLog(), new Date().toISOString())
        if (left) return
        // What was seen before stays remembered beside what contradicts it.
        if (next.kind === 'first' || next.kind === 'consistent') keepSeenLog(next.seen)
        if (next.kind === 'first') setSince(next.seen.seenAt)
        setCheck(next)
        setFailure(null)
      } catch (error) {
        if (!left) setFailure(messageOf(error))
      }
      if (!left) timer = setTimeout(run, EVERY_MS)
    }
    void run()
    return () => {
      left = true
      clearTimeout(timer)
    }
  }, [files])
  return { check, failure, since }
}

type AlarmProps = {
  readonly check: Extract<LogCheck, { kind: 'split' | 'strange' }>
  readonly onBeginAnew: () => void
}

const CheckpointAlarm = ({ check, onBeginAnew }: AlarmProps) => (
  <div className="alarm" role="alert" data-testid="log-line" data-state={check.kind}>
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
          Seen here on {dayAndTime(check.before.seenAt, true)}{' '}
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
      <Button look="text" onClick={onBeginAnew}>
        Begin anew with what is shown now
      </Button>
    </p>
  </div>
)
