// The pages of somebody who is signed in, and everything that lives as long as one sign-in.
import { useEffect, useState } from 'react'
import { useRoute } from 'wouter'
import { ChainContext } from './chain/chain_context.ts'
import { ConsoleContext } from './data/console_context.ts'
import type { SignedIn } from './data/credential.ts'
import { useStore } from './data/store.ts'
import { openConsole } from './open_console.ts'
import { Routes } from './routes.tsx'
import { session } from './session/session.ts'
import { Frame } from './shell/frame.tsx'
import { useLater } from './ui/load/later.tsx'
import { lazyPart } from './ui/load/lazy.tsx'

const AccountChoice = lazyPart(async () => (await import('./shell/account_choice.tsx')).AccountChoice)

export const Inside = ({ by }: { by: SignedIn }) => {
  const [{ parts, chain, start }] = useState(() => openConsole(by))
  const offered = useStore(session.offered)
  // The first page says itself when it stands.
  const [isFirstPage] = useRoute('/')
  const isDue = useLater(false) || !isFirstPage
  useEffect(() => start(), [start])
  useEffect(() => {
    if (isDue) parts.connect()
  }, [isDue, parts])
  return (
    <ConsoleContext value={parts}>
      <ChainContext value={chain}>
        <Frame>
          <Routes signIn={null} />
          {offered !== null && <AccountChoice key={offered} offered={offered} />}
        </Frame>
      </ChainContext>
    </ConsoleContext>
  )
}
