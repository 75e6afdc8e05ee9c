// The bar at the top of every page: the name, the main places, how current the page is, and a few switches.
import './shell.css'
import { type ReactNode, useSyncExternalStore } from 'react'
import { Link, useLocation } from 'wouter'
import { useConsoleIfSignedIn } from '../data/console_context.ts'
import { maskedKey } from '../data/key_text.ts'
import { theme, toggleTheme } from '../data/theme.ts'
import { useStore } from '../data/use_store.ts'
import { Icon } from '../ui/icon.tsx'
import { IconButton } from '../ui/icon_button.tsx'
import { Lighthouse } from '../ui/lighthouse.tsx'
import { pageHelp } from '../ui/page_help.ts'
import { Tip } from '../ui/tip.tsx'

export const TopBar = ({ children }: { children?: ReactNode }) => {
  const help = useSyncExternalStore(pageHelp.subscribe, pageHelp.read)
  const signedIn = useConsoleIfSignedIn()
  const dark = useStore(theme) === 'dark'
  return (
    <header className="top-bar">
      <div className="top-bar-inner">
        <Link to="/" className="brand">
          <Lighthouse />
          <span>Pharos</span>
        </Link>
        <Places />
        {children}
        <div className="top-actions">
          {signedIn !== null && (
            <Tip text="GraphiQL">
              <Link to="/graphiql" className="icon-button graphiql-link" aria-label="GraphiQL">
                <Icon name="braces" />
              </Link>
            </Tip>
          )}
          {help !== null && (
            <IconButton icon="help" label="Keyboard help" tip="Keyboard help (?)" onClick={help} />
          )}
          <ThemeButton dark={dark} />
          {signedIn !== null && <AccountLink />}
          {signedIn === null ? (
            <Link to="/" className="button">
              Sign in
            </Link>
          ) : (
            <IconButton
              icon="leave"
              label="Sign out"
              tip={signedIn.by.kind === 'key' ? `Sign out (${maskedKey(signedIn.by.key)})` : 'Sign out'}
              data-testid="sign-out"
              onClick={() => signedIn.session.leave()}
            />
          )}
        </div>
      </div>
    </header>
  )
}

const AccountLink = () => {
  const [path] = useLocation()
  return (
    <Tip text="Account">
      <Link
        to="/account/keys"
        className="icon-button"
        aria-label="Account"
        aria-current={path.startsWith('/account/') ? 'page' : undefined}
        data-testid="account"
      >
        <Icon name="person" />
      </Link>
    </Tip>
  )
}

/** The main places. A page below a place belongs to it: a block belongs to the chain. */
const Places = () => {
  const [path] = useLocation()
  return (
    <nav className="places" aria-label="Places">
      {places.map(({ to, name, holds }) => (
        <Link key={to} to={to} aria-current={holds.test(path) ? 'page' : undefined}>
          {name}
        </Link>
      ))}
    </nav>
  )
}

const places = [
  { to: '/', name: 'Now', holds: /^\/$/ },
  { to: '/chain', name: 'Chain', holds: /^\/(chain$|(beacons|blocks|entropy)\/)/ },
  { to: '/items', name: 'Items', holds: /^\/items(\/|$)/ },
  { to: '/verify', name: 'Verify', holds: /^\/verify(\/|$)/ },
  { to: '/webhooks', name: 'Webhooks', holds: /^\/webhooks(\/|$)/ },
] as const

export const ThemeButton = ({ dark }: { dark: boolean }) => (
  <IconButton
    icon={dark ? 'sun' : 'moon'}
    label={dark ? 'Light theme' : 'Dark theme'}
    data-testid="theme"
    onClick={toggleTheme}
  />
)
