// The help dialog of a page: its keyboard keys, those of every page, and other help.
import type { ReactNode } from 'react'
import { Dialog } from './dialog.tsx'

/** The names of the keys, and what they do. */
export type KeyHelp = readonly [readonly string[], string]

const everywhere: readonly KeyHelp[] = [
  [['/'], 'search, and every command'],
  [['Ctrl', 'K'], 'the same, also while typing'],
  [['?'], 'this help'],
  [['Esc'], 'close what is open'],
]

type KeysDialogProps = {
  readonly keys: readonly KeyHelp[]
  readonly onClose: () => void
  readonly children?: ReactNode
}

export const KeysDialog = ({ keys, onClose, children }: KeysDialogProps) => (
  <Dialog title="Keys" testId="help" onClose={onClose}>
    {keys.length > 0 && (
      <>
        <h3>On this page</h3>
        <KeyList keys={keys.filter(([[key]]) => key !== '?')} />
      </>
    )}
    <h3>On every page</h3>
    <KeyList keys={everywhere} />
    {children}
  </Dialog>
)

const KeyList = ({ keys }: { keys: readonly KeyHelp[] }) => (
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
)
