// Texts that the browser keeps for this origin: for one tab, or for the device. A browser may forbid storage;
// then nothing is kept.

type Place = 'tab' | 'device'

const placeOf = (place: Place): Storage => (place === 'tab' ? sessionStorage : localStorage)

export const kept = (place: Place, name: string): string | null => attempt(() => placeOf(place).getItem(name))

export const keep = (place: Place, name: string, text: string): void => {
  attempt(() => placeOf(place).setItem(name, text))
}

/** What `read` makes of the JSON that is kept. Null when there is none, or none that it can read. */
export const keptJson = <T>(place: Place, name: string, read: (value: unknown) => T): T | null =>
  attempt(() => {
    const text = placeOf(place).getItem(name)
    return text === null ? null : read(JSON.parse(text))
  })

export const keepJson = (place: Place, name: string, value: unknown): void =>
  keep(place, name, JSON.stringify(value))

export const drop = (place: Place, name: string): void => {
  attempt(() => placeOf(place).removeItem(name))
}

/** Drops everything whose name begins so. */
export const dropAll = (place: Place, prefix: string): void => {
  attempt(() => {
    const storage = placeOf(place)
    const names = Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '')
    for (const name of names) if (name.startsWith(prefix)) storage.removeItem(name)
  })
}

/** Calls `dropped` when another tab removes the text from the device. */
export const watchDropped = (name: string, dropped: () => void): void =>
  window.addEventListener('storage', ({ storageArea, key, newValue }) => {
    if (storageArea === localStorage && (key === name || key === null) && newValue === null) dropped()
  })

const attempt = <T>(use: () => T): T | null => {
  try {
    return use()
  } catch {
    return null
  }
}
