// The button of the account menu. The menu itself is loaded when the button is pressed.
import { type ComponentProps, useState } from 'react'
import { useLocation } from 'wouter'
import { Icon } from '../ui/icon.tsx'
import { lazyPart } from '../ui/load/lazy.tsx'

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

export const AccountButton = () => {
  const [path] = useLocation()
  const [isAsked, setIsAsked] = useState(false)
  const button: Button = { ...BUTTON, 'aria-current': path.startsWith('/account/') ? 'page' : undefined }
  return isAsked ? (
    <AccountMenu button={button} />
  ) : (
    <MenuButton button={button} onClick={() => setIsAsked(true)} />
  )
}
