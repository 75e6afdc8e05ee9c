// The button of the account menu. The menu itself is loaded when the button is pressed.
import { Suspense, useState } from 'react'
import { useLocation } from 'wouter'
import { Icon } from '../ui/icon.tsx'
import { lazyCode } from '../ui/lazy_code.tsx'
import { LazyPart } from '../ui/lazy_page.tsx'

const AccountMenu = lazyCode(async () => (await import('./account_menu.tsx')).AccountMenu)

const BUTTON = {
  className: 'icon-button',
  'aria-label': 'Account',
  'data-testid': 'account',
} as const

export const AccountButton = () => {
  const [path] = useLocation()
  const [isAsked, setIsAsked] = useState(false)
  const isHere = path.startsWith('/account/')
  const button = (
    <button
      type="button"
      {...BUTTON}
      aria-haspopup="menu"
      aria-expanded={false}
      aria-current={isHere ? 'page' : undefined}
      onClick={() => setIsAsked(true)}
    >
      <Icon name="person" />
    </button>
  )
  if (!isAsked) return button
  return (
    <LazyPart>
      <Suspense fallback={button}>
        <AccountMenu button={{ ...BUTTON, 'aria-current': isHere ? 'page' : undefined }} />
      </Suspense>
    </LazyPart>
  )
}
