// Chooses what is on screen: the page the address names, behind the sign-in where it needs one.
import { useEffect, useState } from 'react'
import { CONSOLE_ROUTES } from '../../shared/wire/console_routes.ts'
import { matchRoute } from '../../shared/wire/match_route.ts'
import { address } from './data/address.ts'
import { ConsoleContext } from './data/console_context.ts'
import type { Session } from './data/session.ts'
import { useStore } from './data/use_store.ts'
import { openConsole } from './open_console.ts'
import { NotFoundPage } from './pages/not_found_page.tsx'
import { SignInPage } from './pages/sign_in_page.tsx'
import { routes } from './routes.tsx'
import { AccountChoice } from './shell/account_choice.tsx'

export const App = ({ session }: { session: Session }) => {
  const match = matchRoute(CONSOLE_ROUTES, useStore(address))
  const { kept, message, offered } = useStore(session.state)
  if (match === null) return <NotFoundPage />
  const { show, signedOut } = routes[match.route]
  const page = show(match.params)
  if (kept === null) return signedOut ? page : <SignInPage session={session} message={message} />
  return (
    <>
      <SignedIn key={kept.key} sessionKey={kept.key} session={session}>
        {page}
      </SignedIn>
      {offered !== null && (
        <AccountChoice key={offered} kept={kept.key} offered={offered} session={session} />
      )}
    </>
  )
}

type SignedInProps = {
  readonly sessionKey: string
  readonly session: Session
  readonly children: React.ReactNode
}

/** Keyed by the key: another key gets another feed, and nothing of the old one survives. */
const SignedIn = ({ sessionKey, session, children }: SignedInProps) => {
  const [parts] = useState(() => ({ ...openConsole(sessionKey, session), session, sessionKey }))
  useEffect(() => parts.start(), [parts])
  return <ConsoleContext value={parts}>{children}</ConsoleContext>
}
