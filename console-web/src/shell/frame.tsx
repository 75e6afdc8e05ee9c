// The frame around every page: the bar, the banner below it, and what the requests of the page need.
import './shell.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { useConsoleIfSignedIn } from '../data/console_context.ts'
import { openQueries } from '../data/queries.ts'
import { useMe } from '../session/me.ts'
import { session } from '../session/session.ts'
import { keepTabAccount, tabAccount } from '../session/tab_account.ts'
import { Button } from '../ui/button.tsx'
import { Later } from '../ui/load/later.tsx'
import { Said } from '../ui/said.tsx'
import { Shown } from '../ui/shown_text.tsx'
import { SkipLink } from '../ui/skip_link.tsx'
import { Banner } from './live_status.tsx'
import { TopBar } from './top_bar.tsx'
import { usePlace } from './use_place.ts'

/** A tab that has shown an account before compares it at once. Another one has nothing to compare yet. */
const Soon = ({ children }: { children: ReactNode }) => {
  const [hadAccount] = useState(() => tabAccount() !== null)
  return hadAccount ? children : <Later>{children}</Later>
}

export const Frame = ({ children }: { children: ReactNode }) => {
  const [queries] = useState(openQueries)
  const signedIn = useConsoleIfSignedIn()
  usePlace()
  return (
    <QueryClientProvider client={queries}>
      <div className="shell">
        <SkipLink />
        <TopBar />
        {signedIn !== null && (
          <>
            <Banner />
            <Soon>
              <OtherAccount />
            </Soon>
          </>
        )}
        {children}
        <Said />
      </div>
    </QueryClientProvider>
  )
}

const OtherAccount = () => {
  const [before, setBefore] = useState(tabAccount)
  const me = useMe()
  const isOther = me !== null && before !== null && before.id !== me.id
  useEffect(() => {
    if (me !== null && !isOther) keepTabAccount(me)
  }, [me, isOther])
  if (me === null || before === null || !isOther) return null
  const stay = (): void => {
    keepTabAccount(me)
    setBefore(null)
  }
  return (
    <div className="banner" data-tone="warn" role="alert" data-testid="other-account">
      <span>
        This tab is signed in as <Shown text={me.email ?? me.name} /> now. Before, it was{' '}
        <Shown text={before.name} />: somebody has signed in with this browser since.
      </span>
      <span className="banner-acts">
        <Button look="text" onClick={stay}>
          Stay
        </Button>
        <Button look="text" onClick={() => session.leave()}>
          Sign out
        </Button>
      </span>
    </div>
  )
}
