// Chooses what is on screen: the page the address names, behind the sign-in where it needs one.
import { useEffect, useState } from 'react'
import { Router } from 'wouter'
import { ChainContext } from './beacons/chain_context.ts'
import { parseRoute, stepTo } from './data/address.ts'
import { ConsoleContext } from './data/console_context.ts'
import type { Session } from './data/session.ts'
import { useStore } from './data/use_store.ts'
import { openConsole } from './open_console.ts'
import { SignInPage } from './pages/sign_in_page.tsx'
import { Routes } from './routes.tsx'
import { AccountChoice } from './shell/account_choice.tsx'

export const App = ({ session }: { session: Session }) => {
  const { kept, message, offered } = useStore(session.state)
  return (
    <Router parser={parseRoute} aroundNav={stepTo}>
      {kept === null ? (
        <Routes signIn={<SignInPage session={session} message={message} />} />
      ) : (
        <SignedIn key={kept.key} sessionKey={kept.key} session={session}>
          <Routes signIn={null} />
        </SignedIn>
      )}
      {kept !== null && offered !== null && (
        <AccountChoice key={offered} kept={kept.key} offered={offered} session={session} />
      )}
    </Router>
  )
}

type SignedInProps = {
  readonly sessionKey: string
  readonly session: Session
  readonly children: React.ReactNode
}

/** Keyed by the key: another key gets another feed, and nothing of the old one survives. */
const SignedIn = ({ sessionKey, session, children }: SignedInProps) => {
  const [{ parts, chain, start }] = useState(() => openConsole(sessionKey, session))
  useEffect(() => start(), [start])
  return (
    <ConsoleContext value={parts}>
      <ChainContext value={chain}>{children}</ChainContext>
    </ConsoleContext>
  )
}
