// The bar on top of every signed-in page: the name, how current the page is, and the few switches.
import { useConsole } from '../console_context.ts'
import { theme, toggleTheme } from '../theme.ts'
import { useStore } from '../use_store.ts'
import { HomeLink } from './home_link.tsx'
import { Icon } from './icon.tsx'
import { Lighthouse } from './lighthouse.tsx'
import { PageLink } from './page_link.tsx'

export const TopBar = ({ children, onHelp }: { children: React.ReactNode; onHelp: () => void }) => {
  const { session, sessionKey } = useConsole()
  const dark = useStore(theme) === 'dark'
  return (
    <header className="top-bar">
      <div className="top-bar-inner">
        <HomeLink className="brand">
          <Lighthouse />
          <span>Pharos</span>
        </HomeLink>
        {children}
        <div className="top-actions">
          <PageLink
            to="/graphiql"
            className="icon-button graphiql-link"
            title="GraphiQL"
            aria-label="GraphiQL"
          >
            <Icon name="braces" />
          </PageLink>
          <button
            type="button"
            className="icon-button"
            onClick={onHelp}
            title="Keyboard help (?)"
            aria-label="Keyboard help"
          >
            <Icon name="help" />
          </button>
          <ThemeButton dark={dark} />
          <button
            type="button"
            className="icon-button"
            data-testid="sign-out"
            onClick={() => session.signOut()}
            title={`Sign out (${maskedKey(sessionKey)})`}
            aria-label="Sign out"
          >
            <Icon name="leave" />
          </button>
        </div>
      </div>
    </header>
  )
}

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
