// The palette and the keys that every page has, and the button for people without a keyboard.
import { useState } from 'react'
import { searchFor } from '../data/search_for.ts'
import { useStore } from '../data/store.ts'
import { IconButton } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { lazyPart } from '../ui/load/lazy.tsx'
import { pageHelp, useKeys } from '../ui/over/use_keys.ts'
import { useWindowEvent } from '../ui/use_window_event.ts'

const Palette = lazyPart(async () => (await import('../palette/palette.tsx')).Palette)
const KeysDialog = lazyPart(async () => (await import('../ui/over/keys_dialog.tsx')).KeysDialog)

export const Commands = () => {
  const help = useStore(pageHelp)
  const text = useStore(searchFor)
  const [keys, setKeys] = useState(false)
  const close = (): void => {
    searchFor.write(null)
    setKeys(false)
  }
  const showKeys = (): void => setKeys(true)
  useKeys({ '/': () => searchFor.write(''), '?': showKeys }, true)
  useWindowEvent('keydown', (event) => {
    const isK = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)
    if (!isK || event.shiftKey || event.altKey || event.defaultPrevented) return
    // The browser would otherwise search the web.
    event.preventDefault()
    if (document.querySelector('[data-modal]') === null) searchFor.write('')
    else close()
  })
  return (
    <>
      <button
        type="button"
        className="search-button"
        aria-keyshortcuts="/ Control+K"
        data-testid="search"
        onClick={() => searchFor.write('')}
      >
        <Icon name="search" />
        <span>Search</span>
        <kbd>Ctrl K</kbd>
      </button>
      <IconButton icon="help" label="Keyboard help" tip="Keyboard help (?)" onClick={showKeys} />
      {text !== null && <Palette begin={text} showKeys={showKeys} onClose={close} />}
      {keys && <KeysDialog {...help} onClose={close} />}
    </>
  )
}
