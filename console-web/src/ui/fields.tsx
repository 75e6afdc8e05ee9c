// A list of facts: a name, and a value that can be copied.
import type { ReactNode } from 'react'
import { CopyButton } from './copy_button.tsx'
import { duration, localTime, utc } from './format.ts'
import { shownText } from './shown_text.tsx'
import { useNow } from './use_now.ts'

export const CodeField = ({
  name,
  value,
  children,
}: {
  name: string
  value: string
  children?: ReactNode
}) => (
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

export const TimeField = ({ name, time }: { name: string; time: string }) => {
  const now = useNow()
  const ago = now - Date.parse(time)
  return (
    <>
      <dt>{name}</dt>
      <dd title={localTime(time)}>
        {utc(time, true)} UTC <small>{ago >= 0 ? `${duration(ago)} ago` : `in ${duration(-ago)}`}</small>
      </dd>
    </>
  )
}

export const TextField = ({ name, children }: { name: string; children: ReactNode }) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
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
