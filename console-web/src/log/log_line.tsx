// One line about the public log: whether it continues what this browser saw before.
import './log.css'
import { useState } from 'react'
import { plural } from '../ui/format_count.ts'
import { localTime, utc } from '../ui/format_time.ts'
import type { LogCheck } from './check_log.ts'
import { CheckpointAlarm } from './checkpoint_alarm.tsx'
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

const wordsFor = (
  check: Extract<LogCheck, { kind: 'none' | 'first' | 'consistent' }>,
  since: string | null,
) => {
  switch (check.kind) {
    case 'none':
      return 'Public log: there is no checkpoint to check yet.'
    case 'first':
      return `Public log: ${plural(check.size, 'block')}, seen here for the first time. The next visit is compared with them.`
    case 'consistent':
      return (
        <>
          Public log: {plural(check.size, 'block')}, consistent with what you saw on{' '}
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
