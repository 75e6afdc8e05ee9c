// The words of a button that shows only a picture, for the mouse and for the keyboard.
import { Content, Portal, Provider, Root, Trigger } from '@radix-ui/react-tooltip'
import type { FocusEvent, ReactElement, ReactNode } from 'react'

/** Around the page: after one tip the next one comes at once. */
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

/** A focus that a click moved, or that a closed dialog gave back after one, is no question for words. */
const unlessUnseen = (event: FocusEvent<HTMLElement>): void => {
  if (!event.currentTarget.matches(':focus-visible')) event.preventDefault()
}
