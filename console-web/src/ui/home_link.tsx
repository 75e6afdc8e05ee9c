// A link to the first page.
import type { ReactNode } from 'react'
import { PageLink } from './page_link.tsx'

export const HomeLink = ({ className, children }: { className?: string; children: ReactNode }) => (
  <PageLink to="/" className={className}>
    {children}
  </PageLink>
)
