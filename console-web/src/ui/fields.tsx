// A list of facts: a name, and a value that can be copied; and a text in a box of its own.
import type { ReactNode } from 'react'
import { CopyButton } from './copy_button.tsx'
import { shownText } from './shown_text.tsx'
import { Ago, Time } from './time.tsx'

export const TextField = ({ name, children }: { name: string; children: ReactNode }) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
)

type CodeFieldProps = { readonly name: string; readonly value: string; readonly children?: ReactNode }

export const CodeField = ({ name, value, children }: CodeFieldProps) => (
  <>
    <dt>{name}</dt>
    <dd className="field-code">
      <span>
        <code>{shownText(value)}</code>
        {children}
      </span>
      <CopyButton text={value} what={name} />
    </dd>
  </>
)

export const TimeField = ({ name, time }: { name: string; time: string }) => (
  <TextField name={name}>
    <Time isExact at={time} />{' '}
    <small>
      <Ago time={time} />
    </small>
  </TextField>
)

export const RawJson = ({ title, value }: { title: string; value: unknown }) => {
  const text = JSON.stringify(value, exactDigits, 2)
  return (
    <details className="raw">
      <summary>{title}</summary>
      <CopyButton text={text} what={`${title.toLowerCase()} JSON`} />
      <pre>
        <code>{shownText(text)}</code>
      </pre>
    </details>
  )
}

/** Writes bigint as text, because JSON in JavaScript has no form for it. For display only. */
const exactDigits = (_: string, value: unknown): unknown =>
  typeof value === 'bigint' ? String(value) : value

type TextBoxProps = {
  readonly text: string
  /** Such as "program". */
  readonly what: string
  readonly testId: string
  /** The text as it is shown, where that is easier to read than what is copied. */
  readonly shown?: string
}

/** A text to read and to copy, such as the body of a message or a program. */
export const TextBox = ({ text, what, testId, shown = text }: TextBoxProps) => (
  <div className="text-box">
    <CopyButton text={text} what={what} />
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard must be able to scroll it */}
    <pre className="snippet" data-testid={testId} tabIndex={0}>
      <code>{shownText(shown)}</code>
    </pre>
  </div>
)
