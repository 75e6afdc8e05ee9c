// Texts that the browser keeps for this origin: for one tab, or for the device. A browser may forbid storage;
// then nothing is kept.

type Place = 'tab' | 'device'

const placeOf = (place: Place): Storage => (place === 'tab' ? sessionStorage : localStorage)

export const kept = (place: Place, name: string): string | null => attempt(() => placeOf(place).getItem(name))

export const keep = (place: Place, name: string, text: string): void => {
  attempt(() => placeOf(place).setItem(name, text))
}

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
