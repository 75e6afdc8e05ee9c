// A button that ends something, after a question that stays open with the reason when it fails.
import { type ReactNode, useState } from 'react'
import { type Act, useAsked } from '../../data/use_asked.ts'
import { Button } from '../button.tsx'
import { Question } from '../over/dialog.tsx'
import { Problem } from '../problem.tsx'
import { useFocusHeir } from '../use_focus_heir.ts'

type EndButtonProps = {
  readonly caption: string
  /** For screen readers, when several buttons have the same caption. */
  readonly label?: string
  readonly title: string
  /** The words of the buttons: the harmless one, the other, and the other while it runs. */
  readonly words: { readonly no: string; readonly yes: string; readonly running: string }
  readonly testId: string
  /** What ends, and what it means. */
  readonly children: ReactNode
  readonly end: Act
}

export const EndButton = (props: EndButtonProps) => {
  const [sure, setSure] = useState(false)
  const button = useFocusHeir<HTMLButtonElement>()
  return (
    <>
      <Button
        ref={button}
        look="danger"
        data-testid={props.testId}
        aria-label={props.label}
        onClick={() => setSure(true)}
      >
        {props.caption}
      </Button>
      {sure && <Confirm {...props} onClose={() => setSure(false)} />}
    </>
  )
}

const Confirm = (props: EndButtonProps & { readonly onClose: () => void }) => {
  const { title, words, testId, children, end, onClose } = props
  const { isAsking, why, ask } = useAsked()
  const run = (): void =>
    ask(async (by) => {
      await end(by)
      onClose()
    })
  return (
    <Question
      title={title}
      testId="confirm"
      onNo={onClose}
      text={
        <>
          {children}
          <Problem>{why}</Problem>
        </>
      }
    >
      <Button onClick={onClose}>{words.no}</Button>
      <Button look="danger" data-testid={`${testId}-sure`} disabled={isAsking} onClick={run}>
        {isAsking ? words.running : words.yes}
      </Button>
    </Question>
  )
}
