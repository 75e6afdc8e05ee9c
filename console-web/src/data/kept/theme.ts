// Light or dark: the system's setting until the person chooses on this device.
import { oneOf } from '../shape.ts'
import { Store } from '../store.ts'
import { drop, keep, kept } from './browser_storage.ts'

const NAME = 'pharos.theme'
const system = window.matchMedia('(prefers-color-scheme: dark)')

const readTheme = oneOf(['light', 'dark'])

const present = () => readTheme(kept('device', NAME)) ?? (system.matches ? 'dark' : 'light')

export const theme = new Store(present())

const show = (next: ReturnType<typeof present>): void => {
  theme.write(next)
  document.documentElement.dataset.theme = next
}

export const startTheme = (): void => {
  system.addEventListener('change', () => show(present()))
  show(present())
}

/** Choosing the system's own setting follows the system again. */
export const toggleTheme = (): void => {
  const next = theme.read() === 'dark' ? 'light' : 'dark'
  if ((next === 'dark') === system.matches) drop('device', NAME)
  else keep('device', NAME, next)
  show(next)
}
