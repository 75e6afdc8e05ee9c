// A text to read and to copy, such as the body of a message or a program.
import { CopyButton } from '../ui/copy_button.tsx'
import { shownText } from '../ui/shown_text.tsx'

type TextBoxProps = {
  readonly text: string
  /** Such as "program". */
  readonly what: string
  readonly testId: string
  /** The text as it is shown, where that is easier to read than what is copied. */
  readonly shown?: string
}

export const TextBox = ({ text, what, testId, shown = text }: TextBoxProps) => (
  <div className="text-box">
    <CopyButton text={text} what={what} />
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard must be able to scroll it */}
    <pre className="snippet" data-testid={testId} tabIndex={0}>
      <code>{shownText(shown)}</code>
    </pre>
  </div>
)
