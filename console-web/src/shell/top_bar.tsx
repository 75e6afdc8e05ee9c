// The bar on top of every page: the name, the places, how current the page is, and the few switches.
import type { ReactNode } from 'react'
import { address } from '../data/address.ts'
import { useConsoleIfSignedIn } from '../data/console_context.ts'
import { theme, toggleTheme } from '../data/theme.ts'
import { useStore } from '../data/use_store.ts'
import { HomeLink } from '../ui/home_link.tsx'
import { Icon } from '../ui/icon.tsx'
import { Lighthouse } from '../ui/lighthouse.tsx'
import { PageLink } from '../ui/page_link.tsx'

export const TopBar = ({ children, onHelp }: { children?: ReactNode; onHelp?: () => void }) => {
  const signedIn = useConsoleIfSignedIn()
  const dark = useStore(theme) === 'dark'
  return (
    <header className="top-bar">
      <div className="top-bar-inner">
        <HomeLink className="brand">
          <Lighthouse />
          <span>Pharos</span>
        </HomeLink>
        <Places />
        {children}
        <div className="top-actions">
          {signedIn !== null && (
            <PageLink
              to="/graphiql"
              className="icon-button graphiql-link"
              title="GraphiQL"
              aria-label="GraphiQL"
            >
              <Icon name="braces" />
            </PageLink>
          )}
          {onHelp !== undefined && (
            <button
              type="button"
              className="icon-button"
              onClick={onHelp}
              title="Keyboard help (?)"
              aria-label="Keyboard help"
            >
              <Icon name="help" />
            </button>
          )}
          <ThemeButton dark={dark} />
          {signedIn === null ? (
            <HomeLink className="button">Sign in</HomeLink>
          ) : (
            <button
              type="button"
              className="icon-button"
              data-testid="sign-out"
              onClick={() => signedIn.session.signOut()}
              title={`Sign out (${maskedKey(signedIn.sessionKey)})`}
              aria-label="Sign out"
            >
              <Icon name="leave" />
            </button>
          )}
        </div>
      </div>
    </header>
  )
}

/** Where one can go from anywhere. A page below a place belongs to it: a block is reached from the beacons. */
const Places = () => {
  const path = useStore(address)
  return (
    <nav className="places" aria-label="Places">
      {places.map(({ to, name, holds }) => (
        <PageLink key={to} to={to} aria-current={holds.test(path) ? 'page' : undefined}>
          {name}
        </PageLink>
      ))}
    </nav>
  )
}

const places = [
  { to: '/', name: 'Beacons', holds: /^\/($|(beacons|blocks|entropy)\/)/ },
  { to: '/items', name: 'Items', holds: /^\/items(\/|$)/ },
  { to: '/verify', name: 'Verify', holds: /^\/verify(\/|$)/ },
  { to: '/webhooks', name: 'Webhooks', holds: /^\/webhooks(\/|$)/ },
] as const

export const ThemeButton = ({ dark }: { dark: boolean }) => {
  const label = dark ? 'Light theme' : 'Dark theme'
  return (
    <button
      type="button"
      className="icon-button"
      data-testid="theme"
      onClick={toggleTheme}
      title={label}
      aria-label={label}
    >
      <Icon name={dark ? 'sun' : 'moon'} />
    </button>
  )
}

/** Enough to tell one key from another, not enough to use it. */
export const maskedKey = (key: string): string => (key.length > 16 ? `${key.slice(0, 8)}…` : '…')
