// Chooses what the screen shows: the page of the address, or the sign-in page when that page needs a key.
import { QueryClientProvider } from '@tanstack/react-query'
import { lazy, type ReactNode, useEffect, useState } from 'react'
import { Router } from 'wouter'
import { ChainContext } from './beacons/chain_context.ts'
import { parseRoute, stepTo } from './data/address.ts'
import { ConsoleContext } from './data/console_context.ts'
import { openQueries } from './data/queries.ts'
import type { Session, SessionState } from './data/session.ts'
import { useStore } from './data/use_store.ts'
import { openConsole } from './open_console.ts'
import { SignInPage } from './pages/sign_in_page.tsx'
import { Routes } from './routes.tsx'
import { LazyPart } from './ui/lazy_page.tsx'

const AccountChoice = lazy(async () => ({
  default: (await import('./shell/account_choice.tsx')).AccountChoice,
}))

export const App = ({ session }: { session: Session }) => {
  const state = useStore(session.state)
  return (
    <Router parser={parseRoute} aroundNav={stepTo}>
      <Visit key={state.kept?.key ?? null} session={session} state={state} />
    </Router>
  )
}

type VisitProps = { readonly session: Session; readonly state: SessionState }

/** Rendered with the API key as React key, so that nothing read with one API key is kept for the next. */
const Visit = ({ session, state: { kept, message, offered } }: VisitProps) => {
  const [queries] = useState(openQueries)
  return (
    <QueryClientProvider client={queries}>
      {kept === null ? (
        <Routes signIn={<SignInPage session={session} message={message} />} />
      ) : (
        <SignedIn sessionKey={kept.key} session={session}>
          <Routes signIn={null} />
          {offered !== null && (
            <LazyPart>
              <AccountChoice key={offered} kept={kept.key} offered={offered} session={session} />
            </LazyPart>
          )}
        </SignedIn>
      )}
    </QueryClientProvider>
  )
}

type SignedInProps = {
  readonly sessionKey: string
  readonly session: Session
  readonly children: ReactNode
}

const SignedIn = ({ sessionKey, session, children }: SignedInProps) => {
  const [{ parts, chain, start }] = useState(() => openConsole(sessionKey, session))
  useEffect(() => start(), [start])
  return (
    <ConsoleContext value={parts}>
      <ChainContext value={chain}>{children}</ChainContext>
    </ConsoleContext>
  )
}
