// Asks before something that cannot be undone, runs it, and stays open with the reason when it fails.
import type { ReactNode } from 'react'
import { Question } from './dialog.tsx'

type SureQuestionProps = {
  readonly title: string
  readonly children: ReactNode
  /** The words of the buttons: the harmless one, the other, and the other while it runs. */
  readonly words: { readonly no: string; readonly yes: string; readonly running: string }
  readonly running: boolean
  /** Why it failed, or null. */
  readonly problem: string | null
  readonly testId: string
  readonly onYes: () => void
  readonly onNo: () => void
}

export const SureQuestion = (props: SureQuestionProps) => (
  <Question
    title={props.title}
    testId="confirm"
    onNo={props.onNo}
    text={
      <>
        {props.children}
        {props.problem !== null && (
          <p className="problem" role="alert">
            {props.problem}
          </p>
        )}
      </>
    }
  >
    <button type="button" className="button" onClick={props.onNo}>
      {props.words.no}
    </button>
    <button
      type="button"
      className="button danger"
      data-testid={props.testId}
      disabled={props.running}
      onClick={props.onYes}
    >
      {props.running ? props.words.running : props.words.yes}
    </button>
  </Question>
)
