// A dialog over the page. Radix keeps the focus inside, hides the page from screen readers, and closes on
// Escape.
import { Close, Content, Description, Overlay, Portal, Root, Title } from '@radix-ui/react-dialog'
import { type ReactNode, useState } from 'react'
import { Icon } from '../icon.tsx'
import './style_nonce.ts'

type DialogProps = {
  readonly title: string
  readonly testId: string
  readonly wide?: boolean
  readonly onClose: () => void
  readonly children: ReactNode
}

/** A dialog to read or to choose from. A click outside also closes it. */
export const Dialog = ({ title, testId, wide = false, onClose, children }: DialogProps) => (
  <Root open onOpenChange={onClose}>
    <Portal>
      <Overlay className="scrim" />
      <Content
        className={wide ? 'over dialog wide' : 'over dialog'}
        data-modal=""
        data-testid={testId}
        aria-describedby={undefined}
        onCloseAutoFocus={useFocusReturn()}
      >
        <header className="spread">
          <Title>{title}</Title>
          <Close className="icon-button" aria-label="Close">
            <Icon name="close" />
          </Close>
        </header>
        {children}
      </Content>
    </Portal>
  </Root>
)

type QuestionProps = {
  readonly title: string
  readonly testId: string
  /** A screen reader reads it when the dialog opens. */
  readonly text: ReactNode
  /** Escape also answers no. */
  readonly onNo: () => void
  /** The buttons. The harmless one comes first, because it gets the focus. */
  readonly children: ReactNode
}

/** Asks before an action. Only an answer closes it; a click outside does not. */
export const Question = ({ title, testId, text, onNo, children }: QuestionProps) => (
  <Root open onOpenChange={onNo}>
    <Portal>
      <Overlay className="scrim" />
      <Content
        role="alertdialog"
        className="over dialog question"
        data-modal=""
        data-testid={testId}
        onCloseAutoFocus={useFocusReturn()}
        onInteractOutside={(event) => event.preventDefault()}
      >
        <Title>{title}</Title>
        <Description asChild>
          <div className="question-text">{text}</div>
        </Description>
        <div className="question-foot">{children}</div>
      </Content>
    </Portal>
  </Root>
)

/** Returns the focus to the element that had it, because Radix does so only for buttons of its own dialog. */
const useFocusReturn = () => {
  const [before] = useState(() => document.activeElement)
  return (event: Event): void => {
    event.preventDefault()
    if (before instanceof HTMLElement) before.focus({ preventScroll: true })
  }
}
