// The pages of somebody who is signed in, and everything that lives as long as one sign-in.
import { QueryClientProvider } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { ChainContext } from './chain/chain_context.ts'
import { ConsoleContext } from './data/console_context.ts'
import { openQueries } from './data/queries.ts'
import type { SignedIn } from './data/signed_in.ts'
import { openConsole } from './open_console.ts'
import { Routes } from './routes.tsx'
import { session } from './session/page_session.ts'
import { Frame } from './shell/frame.tsx'
import { lazyPart } from './ui/load/lazy.tsx'

const AccountChoice = lazyPart(async () => (await import('./shell/account_choice.tsx')).AccountChoice)

type InsideProps = {
  readonly by: SignedIn
  /** A key that a link has brought, while another one is signed in. */
  readonly offered: string | null
}

export const Inside = ({ by, offered }: InsideProps) => {
  const [queries] = useState(openQueries)
  const [{ parts, chain, start }] = useState(() => openConsole(by, session))
  useEffect(() => start(), [start])
  return (
    <QueryClientProvider client={queries}>
      <ConsoleContext value={parts}>
        <ChainContext value={chain}>
          <Frame>
            <Routes signIn={null} />
          </Frame>
          {offered !== null && <AccountChoice key={offered} credential={by.credential} offered={offered} />}
        </ChainContext>
      </ConsoleContext>
    </QueryClientProvider>
  )
}
