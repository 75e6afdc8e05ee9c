// A dialog over the page. Radix keeps the focus inside, hides the page from screen readers, and closes on
// Escape.
import { Content, Description, Overlay, Portal, Root, Title } from '@radix-ui/react-dialog'
import { type ComponentProps, type ReactNode, useState } from 'react'
import './style_nonce.ts'

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
  <Over
    role="alertdialog"
    className="over dialog question"
    testId={testId}
    onClose={onNo}
    onInteractOutside={(event) => event.preventDefault()}
  >
    <Title>{title}</Title>
    <Description asChild>
      <div className="question-text">{text}</div>
    </Description>
    <div className="question-foot">{children}</div>
  </Over>
)

type OverProps = ComponentProps<typeof Content> & { readonly testId: string; readonly onClose: () => void }

/** What lies over the page, as it is. */
export const Over = ({ testId, onClose, ...content }: OverProps) => {
  const [before] = useState(() => document.activeElement)
  // To the element that had it, because Radix does so only for buttons of its own dialog.
  const returnFocus = (event: Event): void => {
    event.preventDefault()
    // After a command the focus is already on the page that it opened.
    if (document.activeElement === document.body && before instanceof HTMLElement)
      before.focus({ preventScroll: true })
  }
  return (
    <Root open onOpenChange={onClose}>
      <Portal>
        <Overlay className="scrim" />
        <Content {...content} data-modal="" data-testid={testId} onCloseAutoFocus={returnFocus} />
      </Portal>
    </Root>
  )
}
