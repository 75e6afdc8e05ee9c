// A choice of a few options, side by side.
import { useId } from 'react'

type ChoiceProps<Value extends string> = {
  readonly label: string
  readonly note?: string
  readonly options: Readonly<Record<Value, string>>
  readonly value: Value
  readonly onChange: (value: Value) => void
}

export const Choice = <Value extends string>({
  label,
  note,
  options,
  value,
  onChange,
}: ChoiceProps<Value>) => {
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
