// The bar at the top of every page: the name, the main places, how current the page is, and a few switches.
import { type ComponentProps, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { useConsoleIfSignedIn } from '../data/console_context.ts'
import { PLACES } from '../places/places.ts'
import { ThemeButton } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { Lighthouse } from '../ui/lighthouse.tsx'
import { lazyPart } from '../ui/load/lazy.tsx'
import { Commands } from './commands.tsx'
import { LiveStatus } from './live_status.tsx'

export const TopBar = () => {
  const signedIn = useConsoleIfSignedIn()
  return (
    <header className="top-bar">
      <div className="top-bar-inner">
        <Link to="/" className="brand">
          <Lighthouse />
          <span>Pharos</span>
        </Link>
        <Places />
        {signedIn !== null && <LiveStatus />}
        <div className="top-actions">
          <Commands />
          <ThemeButton />
          {signedIn === null ? (
            <Link to="/" className="button">
              Sign in
            </Link>
          ) : (
            <AccountButton />
          )}
        </div>
      </div>
    </header>
  )
}

/** The main places. A page below a place belongs to it: a block belongs to the chain. */
const Places = () => {
  const [path] = useLocation()
  return (
    <nav className="places" aria-label="Places">
      {PLACES.map(
        ({ to, name, bar }) =>
          bar !== undefined && (
            <Link key={to} to={to} aria-current={bar.test(path) ? 'page' : undefined}>
              {name}
            </Link>
          ),
      )}
    </nav>
  )
}

type Button = ComponentProps<'button'>

const MenuButton = ({ button, onClick }: { button: Button; onClick?: () => void }) => (
  <button type="button" {...button} aria-haspopup="menu" aria-expanded={false} onClick={onClick}>
    <Icon name="person" />
  </button>
)

const AccountMenu = lazyPart<{ button: Button }>(
  async () => (await import('./account_menu.tsx')).AccountMenu,
  MenuButton,
)

const BUTTON = {
  className: 'icon-button',
  'aria-label': 'Account',
  'data-testid': 'account',
} as const

const AccountButton = () => {
  const [path] = useLocation()
  const [isAsked, setIsAsked] = useState(false)
  const button: Button = { ...BUTTON, 'aria-current': path.startsWith('/account/') ? 'page' : undefined }
  return isAsked ? (
    <AccountMenu button={button} />
  ) : (
    <MenuButton button={button} onClick={() => setIsAsked(true)} />
  )
}
