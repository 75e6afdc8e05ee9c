// Moves the focus to the first field that was refused, so that the keyboard is where something has to be done.
import { type RefObject, useEffect, useRef } from 'react'

/** `refused` is another value for each refusal, and the same one while nothing was refused. */
export const useInvalidFocus = (refused: unknown): RefObject<HTMLFormElement | null> => {
  const form = useRef<HTMLFormElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new refusal moves the focus
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [refused])
  return form
}
