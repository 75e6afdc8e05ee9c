// The help dialog of a page: its keyboard keys and other help.
import type { ReactNode } from 'react'
import { Dialog } from './dialog.tsx'

/** The names of the keys, and what they do. */
export type KeyHelp = readonly [readonly string[], string]

type KeysDialogProps = {
  readonly keys: readonly KeyHelp[]
  readonly onClose: () => void
  readonly children?: ReactNode
}

export const KeysDialog = ({ keys, onClose, children }: KeysDialogProps) => (
  <Dialog title="Keys" testId="help" onClose={onClose}>
    <dl>
      {keys.map(([names, meaning]) => (
        <div key={meaning}>
          <dt>
            {names.map((name) => (
              <kbd key={name}>{name}</kbd>
            ))}
          </dt>
          <dd>{meaning}</dd>
        </div>
      ))}
    </dl>
    {children}
  </Dialog>
)
