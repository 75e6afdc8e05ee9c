// A component whose code is loaded when it is shown first. `React.lazy` keeps a load that failed for as long as the
// document lives; this one loads again.
import { type ComponentType, use } from 'react'

/** Thrown where such a component would be shown. */
export class NotLoaded extends Error {
  /** Called when nothing shows the failure as a wait any more: who shows the component next loads its code again. */
  readonly forget: () => void
  /** Loads the code again. Rejects when it does not come this time either. */
  readonly again: () => Promise<void>

  constructor(cause: unknown, forget: () => void, again: () => Promise<void>) {
    super('The code of a part of the page did not load.', { cause })
    this.forget = forget
    this.again = again
  }
}

export const lazyCode = <Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> => {
  let code: Promise<ComponentType<Props>> | null = null
  const loaded = (): Promise<ComponentType<Props>> => {
    code ??= load().catch((cause: unknown) => {
      throw new NotLoaded(cause, forget, again)
    })
    return code
  }
  // Not when it fails: React asks for the component anew just then, and would load for as long as loading fails.
  const forget = (): void => {
    code = null
  }
  const again = async (): Promise<void> => {
    try {
      await loaded()
    } catch (error) {
      forget()
      throw error
    }
  }
  return (props) => {
    const Code = use(loaded())
    return <Code {...props} />
  }
}
