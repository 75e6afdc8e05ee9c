// Chooses what the screen shows: the page of the address, or the sign-in page when that page needs somebody signed in.
import { QueryClientProvider } from '@tanstack/react-query'
import { lazy, type ReactNode, useEffect, useState } from 'react'
import { Router } from 'wouter'
import { ChainContext } from './beacons/chain_context.ts'
import { parseRoute, stepTo } from './data/address.ts'
import { ConsoleContext } from './data/console_context.ts'
import { openQueries } from './data/queries.ts'
import type { Session } from './data/session.ts'
import type { SessionState, SignedIn } from './data/session_state.ts'
import { useStore } from './data/use_store.ts'
import { openConsole } from './open_console.ts'
import { PassingPage } from './pages/passing_page.tsx'
import { SignInPage } from './pages/sign_in_page.tsx'
import { Routes } from './routes.tsx'
import { Frame } from './shell/frame.tsx'
import { LeftNote } from './shell/left_note.tsx'
import { LazyPart } from './ui/lazy_page.tsx'

const AccountChoice = lazy(async () => ({
  default: (await import('./shell/account_choice.tsx')).AccountChoice,
}))

export const App = ({ session }: { session: Session }) => {
  const state = useStore(session.state)
  return (
    <Router parser={parseRoute} aroundNav={stepTo}>
      <Visit key={state.kind === 'signed_in' ? state.by.visit : state.kind} session={session} state={state} />
      <LeftNote session={session} />
    </Router>
  )
}

type VisitProps = { readonly session: Session; readonly state: SessionState }

/** Rendered with the visit as React key, so that nothing read in one visit is kept for the next. */
const Visit = ({ session, state }: VisitProps) => {
  const [queries] = useState(openQueries)
  return (
    <QueryClientProvider client={queries}>
      {state.kind === 'passing' && <PassingPage to={state.to} />}
      {state.kind === 'signed_out' && (
        <Routes signIn={<SignInPage session={session} message={state.message} />} />
      )}
      {state.kind === 'signed_in' && (
        <Inside by={state.by} session={session}>
          <Frame>
            <Routes signIn={null} />
          </Frame>
          {state.offered !== null && (
            <LazyPart>
              <AccountChoice
                key={state.offered}
                credential={state.by.credential}
                offered={state.offered}
                session={session}
              />
            </LazyPart>
          )}
        </Inside>
      )}
    </QueryClientProvider>
  )
}

type InsideProps = {
  readonly by: SignedIn
  readonly session: Session
  readonly children: ReactNode
}

const Inside = ({ by, session, children }: InsideProps) => {
  const [{ parts, chain, start }] = useState(() => openConsole(by, session))
  useEffect(() => start(), [start])
  return (
    <ConsoleContext value={parts}>
      <ChainContext value={chain}>{children}</ChainContext>
    </ConsoleContext>
  )
}
