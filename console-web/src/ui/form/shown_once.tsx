// A secret that the service shows once: to copy now, because nobody can show it again.
import type { ReactNode } from 'react'
import { Button } from '../button.tsx'
import { CopyButton } from '../copy_button.tsx'

type ShownOnceProps = {
  readonly title: string
  readonly what: string
  readonly secret: string
  readonly children: ReactNode
  readonly onDone: () => void
}

/** It takes the place of the form that had the focus. */
const focusOn = (heading: HTMLElement | null): void => heading?.focus()

export const ShownOnce = ({ title, what, secret, children, onDone }: ShownOnceProps) => (
  <section className="shown-once box bright stack" aria-label={title}>
    <h2 ref={focusOn} tabIndex={-1}>
      {title}
    </h2>
    <p>{children}</p>
    <div className="command">
      <code data-testid="secret-once">{secret}</code>
    </div>
    <div className="acts">
      <CopyButton text={secret} what={what} caption="Copy" />
      <Button data-testid="secret-done" onClick={onDone}>
        I have kept it
      </Button>
    </div>
  </section>
)
