// The completion list of the query editor: when it opens, which choice the keys are on, and what choosing does.
import type { GraphQLSchema } from 'graphql'
import { type RefObject, useState } from 'react'
import { type Completions, completionsAt } from './completion.ts'
import { insertText } from './insert_text.ts'

export type CompletionList = {
  readonly open: Completions | null
  readonly selected: number
  readonly choose: (index: number) => void
  readonly close: () => void
  /** After typing: opens when there is a word to complete. */
  readonly typed: (text: string, offset: number) => void
  /** True when the key was the list's. */
  readonly pressed: (event: React.KeyboardEvent<HTMLTextAreaElement>) => boolean
}

export const useCompletion = (
  schema: GraphQLSchema | null,
  field: RefObject<HTMLTextAreaElement | null>,
): CompletionList => {
  const [open, setOpen] = useState<Completions | null>(null)
  const [selected, setSelected] = useState(0)
  const close = (): void => setOpen(null)

  const ask = (text: string, offset: number, asked: boolean): void => {
    const found = schema === null ? null : completionsAt(schema, text, offset)
    const word = found === null ? '' : text.slice(found.from, offset)
    const useful =
      found !== null &&
      found.choices.length > 0 &&
      (asked || ((word !== '' || /[$@]$/.test(text.slice(0, offset))) && found.choices[0]?.label !== word))
    setSelected(0)
    setOpen(useful ? found : null)
  }

  const choose = (index: number): void => {
    const choice = open?.choices[index]
    const element = field.current
    if (open === null || choice === undefined || element === null) return
    const to = element.selectionStart
    insertText(element, {
      from: open.from,
      to,
      insert: choice.insert,
      caret: open.from + choice.insert.length,
    })
    setOpen(null)
  }

  const pressed = (event: React.KeyboardEvent<HTMLTextAreaElement>): boolean => {
    if (event.key === ' ' && event.ctrlKey) {
      ask(event.currentTarget.value, event.currentTarget.selectionStart, true)
      return true
    }
    if (open === null || event.ctrlKey || event.metaKey || event.altKey) return false
    const many = open.choices.length
    if (event.key === 'ArrowDown') setSelected((selected + 1) % many)
    else if (event.key === 'ArrowUp') setSelected((selected + many - 1) % many)
    else if (event.key === 'Escape') close()
    else if (event.key === 'Enter' || (event.key === 'Tab' && !event.shiftKey)) choose(selected)
    else {
      if (/^(Arrow|Home|End|Page|Tab)/.test(event.key)) close()
      return false
    }
    return true
  }

  return { open, selected, choose, close, typed: (text, offset) => ask(text, offset, false), pressed }
}
