// The fields of a filter above a list: a text, one of a few words, a minute.
import { type RefObject, useEffect, useEffectEvent, useId, useState } from 'react'
import { useSettled } from '../use_settled.ts'
import { type Options, Select } from './choice.tsx'

type FilterTextProps = {
  readonly label: string
  readonly hint: string
  readonly value: string
  readonly testId: string
  readonly field?: RefObject<HTMLInputElement | null>
  /** The hint tells enough to who sees it. */
  readonly isHinted?: boolean
  /** `isDone`: the field was left, or Enter was pressed. It then shows its value again. */
  readonly onChange: (text: string, isDone: boolean) => void
}

/** Long enough that nothing is asked for at every key. */
const TYPED_MS = 350

export const FilterText = ({ label, hint, value, testId, field, isHinted, onChange }: FilterTextProps) => {
  const [typed, setTyped] = useState<{ readonly text: string; readonly isSaid: boolean } | null>(null)
  const tell = useEffectEvent(onChange)
  const settled = useSettled(typed, TYPED_MS)
  useEffect(() => {
    if (settled === null || settled !== typed || settled.isSaid) return
    tell(settled.text.trim(), false)
    setTyped({ ...settled, isSaid: true })
  }, [settled, typed])
  // Once told, the field follows the filter, which may be cleared elsewhere. Only spaces at the ends stay as typed.
  const isOwn = typed !== null && (!typed.isSaid || typed.text.trim() === value)
  const finish = (): void => {
    if (!isOwn) return
    setTyped(null)
    onChange(typed.text.trim(), true)
  }
  return (
    <label>
      <span className={isHinted ? 'visually-hidden' : undefined}>{label}</span>
      <input
        ref={field}
        type="search"
        data-testid={testId}
        data-set={value !== ''}
        value={isOwn ? typed.text : value}
        placeholder={hint}
        maxLength={256}
        autoComplete="off"
        spellCheck={false}
        onChange={({ target }) => setTyped({ text: target.value, isSaid: false })}
        onBlur={finish}
        onKeyDown={({ key }) => key === 'Enter' && finish()}
      />
    </label>
  )
}

type FilterChoiceProps<Value extends string> = {
  readonly label: string
  /** The words for no choice. */
  readonly any: string
  readonly value: Value | null
  readonly options: Options<Value>
  readonly onChange: (value: Value | null) => void
}

export const FilterChoice = <Value extends string>(props: FilterChoiceProps<Value>) => {
  const { label, any, value, options, onChange } = props
  const id = useId()
  return (
    <label htmlFor={id}>
      <span>{label}</span>
      <Select<Value | ''>
        id={id}
        data-testid={`filter-${label.toLowerCase()}`}
        data-set={value !== null}
        value={value ?? ''}
        options={[['', any], ...options]}
        onChoose={(chosen) => onChange(chosen === '' ? null : chosen)}
      />
    </label>
  )
}

type FilterMinuteProps = {
  readonly label: string
  /** In UTC, `2027-01-01T00:01`. What is more exact is cut. */
  readonly value: string | null
  readonly onChange: (value: string | null) => void
}

export const FilterMinute = ({ label, value, onChange }: FilterMinuteProps) => (
  <label>
    <span>{label} (UTC)</span>
    <input
      type="datetime-local"
      data-testid={`filter-${label.toLowerCase()}`}
      data-set={value !== null}
      value={value?.slice(0, 16) ?? ''}
      onChange={({ target }) => onChange(target.value === '' ? null : target.value.slice(0, 16))}
    />
  </label>
)
