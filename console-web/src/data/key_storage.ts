// Stores the key: in sessionStorage for this tab, or in localStorage when the person chose to stay signed in
// on this device.
export type KeptKey = { readonly key: string; readonly remembered: boolean }

const NAME = 'pharos.key'

export const readKey = (): KeptKey | null => {
  const inTab = attempt(() => sessionStorage.getItem(NAME))
  if (inTab) return { key: inTab, remembered: false }
  const onDevice = attempt(() => localStorage.getItem(NAME))
  return onDevice ? { key: onDevice, remembered: true } : null
}

export const keepKey = ({ key, remembered }: KeptKey): void => {
  dropKey()
  attempt(() => (remembered ? localStorage : sessionStorage).setItem(NAME, key))
}

export const dropKey = (): void => {
  attempt(() => sessionStorage.removeItem(NAME))
  attempt(() => localStorage.removeItem(NAME))
}

/** Calls `dropped` when another tab signs out of this device. */
export const watchDroppedKey = (dropped: () => void): (() => void) => {
  const changed = (event: StorageEvent): void => {
    if (
      event.storageArea === localStorage &&
      (event.key === NAME || event.key === null) &&
      event.newValue === null
    )
      dropped()
  }
  window.addEventListener('storage', changed)
  return () => window.removeEventListener('storage', changed)
}

/** A browser may forbid storage. The key then lasts as long as the page. */
const attempt = <T>(use: () => T): T | null => {
  try {
    return use()
  } catch {
    return null
  }
}
