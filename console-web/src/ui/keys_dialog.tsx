// The keys of a page, in a native dialog: it brings its own focus trap and closes on Escape.
import { type ReactNode, useEffect, useRef } from 'react'
import { Icon } from './icon.tsx'

/** The names of the keys, and what they do. */
export type KeyHelp = readonly [readonly string[], string]

type KeysDialogProps = {
  readonly keys: readonly KeyHelp[]
  readonly onClose: () => void
  readonly children?: ReactNode
}

export const KeysDialog = ({ keys, onClose, children }: KeysDialogProps) => {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const element = dialog.current
    element?.showModal()
    return () => element?.close()
  }, [])
  return (
    <dialog ref={dialog} className="help" aria-label="Keyboard help" data-testid="help" onClose={onClose}>
      <header>
        <h2>Keys</h2>
        <button type="button" className="icon-button" onClick={onClose} aria-label="Close">
          <Icon name="close" />
        </button>
      </header>
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
    </dialog>
  )
}
