// How to submit an item: one curl line with the key masked on screen. Collapsed at first.
import './items.css'

import { Link } from 'wouter'
import { useConsole } from '../data/console_context.ts'
import { maskedKey } from '../session/api_key.ts'
import { CopyButton } from '../ui/copy_button.tsx'

export const SubmitHint = () => {
  const { by } = useConsole()
  const key = by.kind === 'key' ? by.key : null
  return (
    <details className="submit-hint">
      <summary>Submit an item</summary>
      <p>
        <Link to="/items/new">In this browser</Link>, or from a terminal:
      </p>
      <pre className="snippet">
        <code>{commandWith(key === null ? NO_KEY : maskedKey(key))}</code>
      </pre>
      <div className="spread">
        {key === null ? (
          <small>
            It is in the next block. Put one of your <Link to="/account/keys">API keys</Link> in it.
          </small>
        ) : (
          <small>It is in the next block. The copy contains your key.</small>
        )}
        <CopyButton
          text={commandWith(key ?? NO_KEY)}
          what={key === null ? 'command' : 'command with your key'}
          caption="Copy"
        />
      </div>
    </details>
  )
}

/** Stands in the command of somebody who did not sign in with a key. */
const NO_KEY = 'YOUR_API_KEY'

const EXAMPLE = {
  data: {
    type: 'item',
    attributes: {
      claims: { name: 'Hello', description: 'A first item, written down so that it can be proven.' },
    },
  },
}

const commandWith = (key: string): string =>
  [
    `curl ${window.location.origin}/api/json/items \\`,
    `  -H 'Authorization: Bearer ${key}' \\`,
    `  -H 'Content-Type: application/vnd.api+json' \\`,
    `  -d '${JSON.stringify(EXAMPLE)}'`,
  ].join('\n')
