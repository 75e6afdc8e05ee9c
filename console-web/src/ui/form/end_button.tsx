// A button that ends something, after a question.
import { type ReactNode, useState } from 'react'
import { useAsked } from '../../data/use_asked.ts'
import { SureQuestion } from '../over/sure_question.tsx'
import { useFocusHeir } from '../use_focus_heir.ts'

type EndButtonProps = {
  readonly caption: string
  /** For screen readers, when several buttons have the same caption. */
  readonly label?: string
  readonly title: string
  readonly words: { readonly no: string; readonly yes: string; readonly running: string }
  readonly testId: string
  /** What ends, and what it means. */
  readonly children: ReactNode
  readonly end: (signal: AbortSignal) => Promise<void>
  readonly onEnded: () => void
}

export const EndButton = (props: EndButtonProps) => {
  const [sure, setSure] = useState(false)
  const button = useFocusHeir<HTMLButtonElement>()
  return (
    <>
      <button
        ref={button}
        type="button"
        className="button danger"
        data-testid={props.testId}
        aria-label={props.label}
        onClick={() => setSure(true)}
      >
        {props.caption}
      </button>
      {sure && <Confirm {...props} onClose={() => setSure(false)} />}
    </>
  )
}

const Confirm = ({
  title,
  words,
  testId,
  children,
  end,
  onEnded,
  onClose,
}: EndButtonProps & { readonly onClose: () => void }) => {
  const { state, ask } = useAsked()
  const run = (): void =>
    ask(async (signal) => {
      await end(signal)
      onClose()
      onEnded()
    })
  return (
    <SureQuestion
      title={title}
      words={words}
      running={state.kind === 'asking'}
      problem={state.kind === 'failed' ? state.why : null}
      testId={`${testId}-sure`}
      onYes={run}
      onNo={onClose}
    >
      {children}
    </SureQuestion>
  )
}
