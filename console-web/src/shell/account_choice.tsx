// Shown when a sign-in link is opened while somebody is signed in. Names both accounts and asks before the
// session is replaced.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Api, apiClient } from '../data/api_client.ts'
import { messageOf } from '../data/api_failure.ts'
import { useConsole } from '../data/console_context.ts'
import { keyCredential } from '../data/credential.ts'
import { ME_PATH, readMe } from '../session/me.ts'
import { session } from '../session/session.ts'
import { Button } from '../ui/button.tsx'
import { Question } from '../ui/over/dialog.tsx'
import { Shown } from '../ui/shown_text.tsx'

export const AccountChoice = ({ offered }: { offered: string }) => {
  const [other] = useState(() => apiClient({ credential: keyCredential(offered) }))
  // Somebody who is not signed in any more has nothing to decide: then the link signs in.
  const mine = useAccount('mine', useConsole().api)
  const theirs = useAccount(offered, other)
  const stay = (): void => session.offered.write(null)
  return (
    <Question
      title="Sign in to another account?"
      testId="account-choice"
      onNo={stay}
      text={
        <>
          <p>
            You are signed in as <Named answer={mine} />. The link you followed signs you in as{' '}
            <Named answer={theirs} />.
          </p>
          <p>
            What you submit from then on belongs to that account, and whoever made the link may see it. If you
            did not ask for the link, stay.
          </p>
        </>
      }
    >
      <Button data-testid="stay" onClick={stay}>
        Stay
      </Button>
      <Button
        look="primary"
        data-testid="switch-account"
        disabled={mine.data === undefined || theirs.data === undefined}
        onClick={() => session.signInWithKey(offered, false)}
      >
        Sign in to the other
      </Button>
    </Question>
  )
}

/** The account of a credential, asked before it is used for anything else. */
const useAccount = (name: string, api: Api) =>
  useQuery({
    queryKey: ['account', name],
    queryFn: async ({ signal }) => readMe(await api.get(ME_PATH, signal)),
  })

/**
 * Shows the email address too, because names are freely chosen and only the address identifies an account.
 */
const Named = ({ answer: { data, failureReason } }: { answer: ReturnType<typeof useAccount> }) => {
  if (data === undefined)
    return (
      <span className="named">
        {failureReason === null ? '…' : `nobody we can name: ${messageOf(failureReason)}`}
      </span>
    )
  return (
    <strong className="named">
      <Shown text={data.name} /> (<Shown text={data.email ?? data.id} />)
    </strong>
  )
}
