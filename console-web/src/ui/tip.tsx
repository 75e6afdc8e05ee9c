// The tip of an icon button, for mouse and keyboard.
import { Content, Portal, Provider, Root, Trigger } from '@radix-ui/react-tooltip'
import type { FocusEvent, ReactElement, ReactNode } from 'react'

/** Wraps the page. After one tip has been shown, the next appears at once. */
export const Tips = ({ children }: { children: ReactNode }) => (
  <Provider delayDuration={400}>{children}</Provider>
)

export const Tip = ({ text, children }: { text: string; children: ReactElement }) => (
  <Root>
    <Trigger asChild onFocus={unlessUnseen}>
      {children}
    </Trigger>
    <Portal>
      <Content className="tip" sideOffset={6} collisionPadding={8}>
        {text}
      </Content>
    </Portal>
  </Root>
)

/** Shows no tip when the focus came from a click, or from a dialog that a click closed. */
const unlessUnseen = (event: FocusEvent<HTMLElement>): void => {
  if (!event.currentTarget.matches(':focus-visible')) event.preventDefault()
}
