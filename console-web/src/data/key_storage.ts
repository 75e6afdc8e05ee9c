// Stores the key: in sessionStorage for this tab, or in localStorage when the person chose to stay signed in
// on this device.
import { drop, keep, kept, watchDropped } from './browser_storage.ts'

export type KeptKey = { readonly key: string; readonly remembered: boolean }

const NAME = 'pharos.key'

export const readKey = (): KeptKey | null => {
  const inTab = kept('tab', NAME)
  if (inTab) return { key: inTab, remembered: false }
  const onDevice = kept('device', NAME)
  return onDevice ? { key: onDevice, remembered: true } : null
}

export const keepKey = ({ key, remembered }: KeptKey): void => {
  dropKey()
  keep(remembered ? 'device' : 'tab', NAME, key)
}

export const dropKey = (): void => {
  drop('tab', NAME)
  drop('device', NAME)
}

/** Calls `dropped` when another tab signs out of this device. */
export const watchDroppedKey = (dropped: () => void): void => watchDropped(NAME, dropped)
