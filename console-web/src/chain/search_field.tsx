// The search of the chain: it opens that of the console, which leads to blocks and to ranges of time.
import { useId, useState } from 'react'
import { searchFor } from '../data/search_for.ts'

export const SearchField = () => {
  const [text, setText] = useState('')
  const id = useId()
  return (
    <search className="chain-search">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          searchFor.write(text)
        }}
      >
        <label htmlFor={id} className="visually-hidden">
          Find a block by height, hash, id or time
        </label>
        <input
          id={id}
          type="search"
          value={text}
          placeholder="Height, hash, id, or a time: yesterday 14:00"
          autoComplete="off"
          spellCheck={false}
          maxLength={2_000}
          data-testid="chain-search"
          onChange={(event) => setText(event.target.value)}
        />
        <button type="submit" className="button">
          Find
        </button>
      </form>
    </search>
  )
}
