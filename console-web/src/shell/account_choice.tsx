// Shown when a sign-in link is opened while somebody is signed in. Names both accounts and asks before the
// session is replaced.
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { apiClient } from '../data/api_client.ts'
import { ApiFailure, messageOf } from '../data/api_failure.ts'
import { useConsole } from '../data/console_context.ts'
import { type Credential, keyCredential } from '../data/credential.ts'
import { ME_PATH, type Me, readMe } from '../session/me.ts'
import { session } from '../session/session.ts'
import { Button } from '../ui/button.tsx'
import { Question } from '../ui/over/dialog.tsx'
import { Shown } from '../ui/shown_text.tsx'

export const AccountChoice = ({ offered }: { offered: string }) => {
  const [other] = useState(() => keyCredential(offered))
  const mine = useAccount('mine', useConsole().by.credential)
  const theirs = useAccount(offered, other)
  const isOver = mine.failure instanceof ApiFailure && mine.failure.kind === 'unauthorized'
  useEffect(() => {
    if (isOver) session.signOut()
  }, [isOver])
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
        disabled={mine.account === null || theirs.account === null}
        onClick={() => session.signInWithKey(offered, false)}
      >
        Sign in to the other
      </Button>
    </Question>
  )
}

type Answer = { readonly account: Me | null; readonly failure: Error | null }

/** The account of a credential, asked before it is used for anything else. */
const useAccount = (name: string, credential: Credential): Answer => {
  const { data, error, failureReason } = useQuery({
    queryKey: ['account', name],
    queryFn: async ({ signal }) => readMe(await apiClient({ credential }).get(ME_PATH, signal)),
  })
  return { account: data ?? null, failure: error ?? failureReason }
}

/**
 * Shows the email address too, because names are freely chosen and only the address identifies an account.
 */
const Named = ({ answer: { account, failure } }: { answer: Answer }) => {
  if (account !== null)
    return (
      <strong className="named">
        <Shown text={account.name} /> (<Shown text={account.email ?? account.id} />)
      </strong>
    )
  return <span className="named">{failure === null ? '…' : `nobody we can name: ${messageOf(failure)}`}</span>
}
