// The text that the search of the console is open with, wherever it was opened from. Null while it is closed.
import { Store } from './store.ts'

export const searchFor = new Store<string | null>(null)
