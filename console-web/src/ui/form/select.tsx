// A choice of one of a few words, in a list that unfolds.
import type { ComponentProps } from 'react'

export type Options<Value extends string> = readonly (readonly [value: Value, words: string])[]

type SelectProps<Value extends string> = Omit<ComponentProps<'select'>, 'value' | 'onChange' | 'children'> & {
  readonly value: Value
  readonly options: Options<Value>
  readonly onChoose: (value: Value) => void
}

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
