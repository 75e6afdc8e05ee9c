// How to submit an item: one curl line with the key masked on screen. Collapsed at first.
import './items.css'

import { Link } from 'wouter'
import { useConsole } from '../data/console_context.ts'
import { maskedKey } from '../data/key_text.ts'
import { CopyButton } from '../ui/copy_button.tsx'

export const SubmitHint = () => {
  const { sessionKey } = useConsole()
  return (
    <details className="submit-hint">
      <summary>Submit an item</summary>
      <p>
        <Link to="/items/new">In this browser</Link>, or from a terminal:
      </p>
      <pre>
        <code>{commandWith(maskedKey(sessionKey))}</code>
      </pre>
      <div className="submit-hint-foot">
        <small>It is in the next block. The copy contains your key.</small>
        <CopyButton text={commandWith(sessionKey)} what="command with your key" caption="Copy" />
      </div>
    </details>
  )
}

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
