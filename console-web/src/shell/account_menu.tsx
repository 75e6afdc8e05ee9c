// The menu of the account: who it is, its pages, the documentation, and the way out. Loaded when it is opened.
import '../ui/over/style_nonce.ts'
import { Content, Group, Item, Label, Portal, Root, Separator, Trigger } from '@radix-ui/react-dropdown-menu'
import { type ComponentProps, useState } from 'react'
import { Link } from 'wouter'
import { useConsole } from '../data/console_context.ts'
import { theme, toggleTheme } from '../data/kept/theme.ts'
import { useStore } from '../data/store.ts'
import { DOCUMENTATION, MCP_PATH } from '../palette/command.ts'
import { PLACES, type Place } from '../places/places.ts'
import { maskedKey } from '../session/api_key.ts'
import { useMe } from '../session/me.ts'
import { session } from '../session/session.ts'
import { Icon } from '../ui/icon.tsx'
import { copyAndSay } from '../ui/said.tsx'
import { nameText, Shown } from '../ui/shown_text.tsx'

const placesOf = (menu: Place['menu']) =>
  PLACES.filter((place) => place.menu === menu).map(({ to, name }) => (
    <Item key={to} asChild>
      <Link to={to}>{name}</Link>
    </Item>
  ))

export const AccountMenu = ({ button }: { button: ComponentProps<'button'> }) => {
  // It is rendered for the first time because the button was pressed.
  const [open, setOpen] = useState(true)
  // Within the bar, so that people who go from landmark to landmark find it.
  const [bar] = useState(() => document.querySelector('header'))
  const dark = useStore(theme) === 'dark'
  return (
    <Root open={open} onOpenChange={setOpen} modal={false}>
      <Trigger {...button}>
        <Icon name="person" />
      </Trigger>
      <Portal container={bar}>
        <Content
          className="over menu"
          align="end"
          sideOffset={6}
          collisionPadding={8}
          loop
          data-testid="account-menu"
        >
          <Who />
          <Separator />
          <Group aria-label="Account">{placesOf('account')}</Group>
          <Separator />
          <Group>
            <Label>API</Label>
            {placesOf('api')}
            {DOCUMENTATION.map(({ name, href }) => (
              <Item key={href} asChild>
                <a href={href}>{name}</a>
              </Item>
            ))}
            <Item onSelect={() => void copyAndSay(window.location.origin + MCP_PATH)}>
              Copy the address for agents (MCP)
            </Item>
          </Group>
          <Separator />
          <Item onSelect={toggleTheme}>{dark ? 'Light theme' : 'Dark theme'}</Item>
          <Item data-testid="sign-out" onSelect={() => session.leave()}>
            Sign out
          </Item>
        </Content>
      </Portal>
    </Root>
  )
}

/** Each line is shown when it is known. */
const Who = () => {
  const { by, connection } = useConsole()
  const me = useMe()
  const { welcome } = useStore(connection.facts)
  const plan = me?.plan ?? welcome?.plan ?? null
  return (
    <div className="menu-who note stack" data-testid="account-menu-who">
      {me !== null && (
        <>
          <strong>
            <Shown text={me.name} />
          </strong>
          {me.email !== null && <Shown text={me.email} />}
        </>
      )}
      {welcome !== null && welcome.team !== null && (
        <Item asChild>
          <Link to={`/account/teams/${welcome.team.id}`} data-testid="account-team">
            Team: <Shown text={nameText(welcome.team.name)} /> · role: {welcome.team.role}
          </Link>
        </Item>
      )}
      {plan !== null && <span>Plan: {plan}</span>}
      {by.kind === 'key' && <span>Signed in with the key {maskedKey(by.key)}</span>}
    </div>
  )
}
