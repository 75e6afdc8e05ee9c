// Light or dark: the system's setting until the person chooses on this device.

import { Store } from '../store.ts'
import { drop, keep, kept } from './browser_storage.ts'

type Theme = 'light' | 'dark'

const NAME = 'pharos.theme'
const system = window.matchMedia('(prefers-color-scheme: dark)')

const chosen = (): Theme | null => {
  const value = kept('device', NAME)
  return value === 'light' || value === 'dark' ? value : null
}

const present = (): Theme => chosen() ?? (system.matches ? 'dark' : 'light')

export const theme = new Store<Theme>(present())

const show = (next: Theme): void => {
  theme.write(next)
  document.documentElement.dataset.theme = next
}

export const startTheme = (): void => {
  system.addEventListener('change', () => show(present()))
  show(present())
}

/** Choosing the system's own setting follows the system again. */
export const toggleTheme = (): void => {
  const next: Theme = theme.read() === 'dark' ? 'light' : 'dark'
  if ((next === 'dark') === system.matches) drop('device', NAME)
  else keep('device', NAME, next)
  show(next)
}
