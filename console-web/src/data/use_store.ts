// Reads a store inside a component.
import { useSyncExternalStore } from 'react'
import type { Store } from './store.ts'

export const useStore = <T>(store: Store<T>): T => useSyncExternalStore(store.subscribe, store.read)
