// Signs out every other browser of the list, after a question.
import { ApiFailure } from '../data/api_failure.ts'
import { useConsole } from '../data/console_context.ts'
import { EndButton } from '../ui/form/end_button.tsx'
import { type BrowserSession, sessionPath } from './browser_session.ts'

type EndOtherSessionsProps = {
  readonly others: readonly BrowserSession[]
  /** This page itself has no session. */
  readonly isKey: boolean
  readonly onEnded: () => void
}

export const EndOtherSessions = ({ others, isKey, onEnded }: EndOtherSessionsProps) => {
  const { api } = useConsole()
  const end = async (signal: AbortSignal): Promise<void> => {
    for (const { id } of others)
      try {
        await api.delete(sessionPath(id), signal)
      } catch (error) {
        // It has ended in the meantime.
        if (!(error instanceof ApiFailure && error.kind === 'not_found')) throw error
      }
  }
  return (
    <EndButton
      caption={isKey ? 'Sign out everywhere…' : 'Sign out everywhere else…'}
      title={isKey ? 'Sign out everywhere?' : 'Sign out everywhere else?'}
      words={{ no: 'Keep them', yes: 'Sign them out', running: 'Signing out…' }}
      testId="end-others"
      end={end}
      onEnded={onEnded}
    >
      <p>
        {others.length === 1 ? 'One browser is' : `${others.length} browsers are`} signed out within a minute.
        API keys and applications go on.
      </p>
    </EndButton>
  )
}
