// The frame around every page: the bar, and the banner below it.
import './shell.css'
import { type ReactNode, useMemo, useState } from 'react'
import { useChain } from '../chain/chain_context.ts'
import { Banner } from '../connection/banner.tsx'
import { learnInterval } from '../connection/countdown.ts'
import { LiveStatus } from '../connection/live_status.tsx'
import { useConsole, useConsoleIfSignedIn } from '../data/console_context.ts'
import { useStore } from '../data/use_store.ts'
import { tabAccount } from '../session/tab_account.ts'
import { DropAnywhere } from '../stamp/drop_anywhere.tsx'
import { Later } from '../ui/load/later.tsx'
import { OtherAccount } from './other_account.tsx'
import { Said } from './said.tsx'
import { TopBar } from './top_bar.tsx'
import { usePlace } from './use_place.ts'

/** A tab that has shown an account before compares it at once. Another one has nothing to compare yet. */
const Soon = ({ children }: { children: ReactNode }) => {
  const [hadAccount] = useState(() => tabAccount() !== null)
  return hadAccount ? children : <Later>{children}</Later>
}

export const Frame = ({ children }: { children: ReactNode }) => {
  const signedIn = useConsoleIfSignedIn()
  usePlace()
  return (
    <div className="shell">
      <SkipLink />
      {signedIn === null ? <TopBar /> : <LiveBars />}
      {children}
      <Said />
      <DropAnywhere />
    </div>
  )
}

/** The first stop of the keyboard on every page. A button, because an address would change the history. */
const SkipLink = () => (
  <button type="button" className="skip-link" onClick={skip}>
    Skip to the content
  </button>
)

const skip = (): void => {
  const content = document.querySelector('main h1') ?? document.querySelector('main')
  if (!(content instanceof HTMLElement)) return
  content.tabIndex = -1
  content.focus()
}

const LiveBars = () => {
  const { slowedUntil } = useConsole()
  const { feed, retryNow } = useChain()
  const state = useStore(feed.state)
  const slowed = useStore(slowedUntil)
  const { rows } = state.list
  const interval = useMemo(() => learnInterval(state.intervalMs, rows), [state.intervalMs, rows])
  return (
    <>
      <TopBar>
        <LiveStatus
          phase={state.connection.phase}
          headTime={rows[0]?.timestamp ?? null}
          intervalMs={interval.ms}
        />
      </TopBar>
      <Banner
        connection={state.connection}
        hasRows={rows.length > 0}
        replaced={state.replaced}
        slowedUntil={slowed}
        onRetry={retryNow}
      />
      <Soon>
        <OtherAccount />
      </Soon>
    </>
  )
}
