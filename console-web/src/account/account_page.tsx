// The frame of the pages about the account of the person: the name of the page, the way to the others, whose account it is.
import './account.css'
import type { ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import { useConsole } from '../data/console_context.ts'
import { PLACES } from '../places/places.ts'
import { maskedKey } from '../session/api_key.ts'
import { useMe } from '../session/me.ts'
import { PlainPage } from '../ui/plain_page.tsx'
import { Shown } from '../ui/shown_text.tsx'

type AccountPageProps = Pick<Parameters<typeof PlainPage>[0], 'title' | 'intro' | 'act'> & {
  /** Beside the content. */
  readonly side?: ReactNode
  readonly children: ReactNode
}

/** `title` is the name of its place. */
export const AccountPage = ({ side, children, ...page }: AccountPageProps) => (
  <PlainPage className="account" {...page}>
    <AccountPlaces />
    <Beside side={side}>{children}</Beside>
  </PlainPage>
)

/** Two columns where something stands beside the content. */
export const Beside = ({ side, children }: { side: ReactNode; children: ReactNode }) =>
  side === undefined ? (
    children
  ) : (
    <div className="side-by-side" data-wide="left">
      {children}
      <div className="side">{side}</div>
    </div>
  )

/** A page below a place belongs to it: a team belongs to the teams. */
export const AccountPlaces = () => {
  const [path] = useLocation()
  return (
    <div className="account-places spread">
      <nav className="page-places" aria-label="Account">
        {PLACES.filter(({ to }) => to.startsWith('/account/')).map(({ to, name }) => (
          <Link key={to} to={to} aria-current={path.startsWith(to) ? 'page' : undefined}>
            {name}
          </Link>
        ))}
      </nav>
      <Who />
    </div>
  )
}

/** Says nothing before it is known. */
const Who = () => {
  const { by } = useConsole()
  const email = useMe()?.email ?? null
  if (email === null) return null
  return (
    <p className="account-who">
      <Shown text={email} />
      {by.kind === 'key' && `, with the key ${maskedKey(by.key)}`}
    </p>
  )
}
