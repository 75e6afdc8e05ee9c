// The pages below the last row of a live list, each asked for when the end of the list comes into view.
import { isTransient, messageOf } from '../api_failure.ts'
import type { Page } from '../resource.ts'
import { waitAfter } from '../retry_schedule.ts'
import type { Store } from '../store.ts'

/** What is known of them. */
export type OlderPages =
  | { readonly kind: 'idle'; readonly path: string }
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly path: string; readonly why: string }
  | { readonly kind: 'unknown' | 'end' | 'bounded' }

export const olderOf = ({ next }: Page<unknown>): OlderPages =>
  next === null ? { kind: 'end' } : { kind: 'idle', path: next }

/** The reader of the next page. `put` takes the answer, and says what is below it. */
export const olderReader = (state: Store<{ readonly older: OlderPages }>) => {
  let failures = 0
  return async <Answer>(
    signal: AbortSignal,
    ask: (path: string) => Promise<Answer>,
    put: (answer: Answer) => void,
  ): Promise<void> => {
    const { older } = state.read()
    if (older.kind !== 'idle' && older.kind !== 'failed') return
    const { path } = older
    const loading: OlderPages = { kind: 'loading' }
    // The list may have begun anew or been read again meanwhile, and then has another link to older rows.
    const isMoot = (): boolean => state.read().older !== loading
    state.change({ older: loading })
    try {
      const answer = await ask(path)
      failures = 0
      if (!isMoot()) put(answer)
    } catch (error) {
      if (isMoot()) return
      const idle: OlderPages = { kind: 'idle', path }
      const failed: OlderPages = { kind: 'failed', path, why: messageOf(error) }
      state.change({ older: signal.aborted ? idle : failed })
      if (signal.aborted || !isTransient(error)) return
      failures += 1
      const again = (): void => {
        if (state.read().older === failed && !signal.aborted) state.change({ older: idle })
      }
      setTimeout(again, waitAfter(failures, error))
    }
  }
}
