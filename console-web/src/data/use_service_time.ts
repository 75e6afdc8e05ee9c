// The present time by the clock of the service, once a second.
import { useNow } from '../ui/use_now.ts'
import { useConsoleIfSignedIn } from './console_context.ts'
import { Store, useStore } from './store.ts'

/** Milliseconds. By the local clock where nobody is signed in. */
export const useServiceTime = (): number =>
  useNow() + useStore(useConsoleIfSignedIn()?.clockOffset ?? NO_OFFSET)

const NO_OFFSET = new Store(0)
