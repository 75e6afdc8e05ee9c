// Around a page that needs no key: the bar, and what its requests need.
import { QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { openQueries } from './data/queries.ts'
import { Frame } from './shell/frame.tsx'

export const OpenFrame = ({ children }: { children: ReactNode }) => {
  const [queries] = useState(openQueries)
  return (
    <QueryClientProvider client={queries}>
      <Frame>{children}</Frame>
    </QueryClientProvider>
  )
}
