// Choices: yes or no, one of a few words in a list that unfolds, and one of a few options side by side.
import { type ComponentProps, type ReactNode, useId } from 'react'

type CheckProps = {
  readonly isChecked: boolean
  readonly testId?: string
  readonly onCheck: (isChecked: boolean) => void
  readonly children: ReactNode
}

/** A box with its words. */
export const Check = ({ isChecked, testId, onCheck, children }: CheckProps) => (
  <label className="check">
    <input
      type="checkbox"
      data-testid={testId}
      checked={isChecked}
      onChange={({ target }) => onCheck(target.checked)}
    />
    <span>{children}</span>
  </label>
)

export type Options<Value extends string> = readonly (readonly [value: Value, words: string])[]

/** What is chosen, of what, and by whom it is heard. */
export type Choosing<Value extends string> = {
  readonly value: Value
  readonly options: Options<Value>
  readonly onChoose: (value: Value) => void
}

type SelectProps<Value extends string> = Choosing<Value> &
  Omit<ComponentProps<'select'>, 'value' | 'onChange' | 'children'>

/** A list that unfolds. */
export const Select = <Value extends string>({ options, onChoose, ...select }: SelectProps<Value>) => (
  <select
    {...select}
    onChange={({ target }) => {
      const chosen = options.find(([value]) => value === target.value)
      if (chosen !== undefined) onChoose(chosen[0])
    }}
  >
    {options.map(([value, words]) => (
      <option key={value} value={value}>
        {words}
      </option>
    ))}
  </select>
)

type ChoiceProps<Value extends string> = {
  readonly label: string
  readonly note?: string
  readonly options: Readonly<Record<Value, string>>
  readonly value: Value
  readonly onChange: (value: Value) => void
}

/** Side by side. */
export const Choice = <Value extends string>(props: ChoiceProps<Value>) => {
  const { label, note, options, value, onChange } = props
  const id = useId()
  const isOption = (name: string): name is Value => Object.hasOwn(options, name)
  return (
    <fieldset className="choice-field" aria-describedby={note === undefined ? undefined : id}>
      <legend>{label}</legend>
      <div className="choice">
        {Object.keys(options)
          .filter(isOption)
          .map((name) => (
            <button key={name} type="button" aria-pressed={name === value} onClick={() => onChange(name)}>
              {options[name]}
            </button>
          ))}
      </div>
      {note !== undefined && <small id={id}>{note}</small>}
    </fieldset>
  )
}
