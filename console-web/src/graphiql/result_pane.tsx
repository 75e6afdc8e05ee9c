// The result of a run: its outcome in one line, a plain sentence when the service refused, and the JSON.
import { CopyButton } from '../ui/copy_button.tsx'
import { count } from '../ui/format.ts'
import { JsonText } from '../ui/json_text.tsx'
import type { Answer } from './send_query.ts'

/** A browser lays out this much text in well under a second. An answer may be eight times longer. */
const MOST_SHOWN = 1_000_000

export const ResultPane = ({ answer, running }: { answer: Answer | null; running: boolean }) => {
  const text = answer?.text ?? ''
  const isAwaited = running && answer?.isLive !== true
  return (
    <section className="result" aria-label="Result" aria-busy={isAwaited}>
      <header className="pane-head">
        <h2>Result</h2>
        <p className="result-facts" role="status" data-testid="result-facts">
          {isAwaited ? 'Running…' : answer?.facts}
        </p>
        {text !== '' && <CopyButton text={text} what="result" />}
      </header>
      {answer?.notice != null && (
        <p className="notice" role="alert" data-testid="result-notice">
          {answer.notice}
        </p>
      )}
      {text.length > MOST_SHOWN && (
        <p className="notice" data-testid="result-cut">
          {`Only the first ${count(MOST_SHOWN)} of ${count(text.length)} characters are shown. Copying takes them all.`}
        </p>
      )}
      {answer === null ? (
        <p className="pane-note soft">The answer of the service will stand here.</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
        <pre className="pane-text" data-testid="result" tabIndex={0}>
          <JsonText text={text.slice(0, MOST_SHOWN)} />
        </pre>
      )}
    </section>
  )
}
