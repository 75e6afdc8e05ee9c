// The present time by the clock of the service, once a second.

import { useConsoleIfSignedIn } from '../data/console_context.ts'
import { Store, useStore } from '../data/store.ts'
import { useNow } from '../ui/use_now.ts'

/** Milliseconds. By the local clock where nobody is signed in. */
export const useServiceTime = (): number =>
  useNow() + useStore(useConsoleIfSignedIn()?.clockOffset ?? NO_OFFSET)

const NO_OFFSET = new Store(0)
