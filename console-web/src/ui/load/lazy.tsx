// Pages and parts of pages whose code is loaded when they are shown first. Each stands within bounds of its own: the page
// before it is gone at once, and what does not come takes nothing else away. `React.lazy` keeps a load that failed for as
// long as the document lives; here it is asked for again.
import { Component, type ComponentType, type ReactNode, Suspense, use } from 'react'
import { useLocation } from 'wouter'
import { type Again, PageNotLoaded, PartNotLoaded } from './not_loaded.tsx'

type Load<Props> = () => Promise<ComponentType<Props>>

export const lazyPage = <Props extends object>(load: Load<Props>): ComponentType<Props> => {
  const Code = lazyCode(load)
  return (props) => {
    const [path] = useLocation()
    return (
      <Bounds path={path} instead={(again) => <PageNotLoaded path={path} again={again} />}>
        <Suspense fallback={<main className="quiet-page" aria-busy="true" />}>
          <Code {...props} />
        </Suspense>
      </Bounds>
    )
  }
}

/**
 * A part of a page. The page works without it.
 * @param Meanwhile is shown while the part loads
 */
export const lazyPart = <Props extends object>(
  load: Load<Props>,
  Meanwhile: ComponentType<Props> = () => null,
): ComponentType<Props> => {
  const Code = lazyCode(load)
  return (props) => (
    <Bounds path="" instead={(again) => <PartNotLoaded again={again} />}>
      <Suspense fallback={<Meanwhile {...props} />}>
        <Code {...props} />
      </Suspense>
    </Bounds>
  )
}

/** Thrown where code that did not come would be shown. */
class NotLoaded extends Error {
  /** Who shows it next loads it again. */
  readonly forget: () => void
  /** Loads it again. Rejects when it does not come this time either. */
  readonly again: () => Promise<unknown>

  constructor(cause: unknown, forget: () => void, again: () => Promise<unknown>) {
    super('The code of a page or of a part did not load.', { cause })
    this.forget = forget
    this.again = again
  }
}

const lazyCode = <Props extends object>(load: Load<Props>): ComponentType<Props> => {
  let code: Promise<ComponentType<Props>> | null = null
  const loaded = (): Promise<ComponentType<Props>> => {
    code ??= load().catch((cause: unknown) => {
      throw new NotLoaded(cause, forget, again)
    })
    return code
  }
  // Not as soon as it fails: React asks for the component anew just then, and would load for as long as loading fails.
  const forget = (): void => {
    code = null
  }
  const again = (): Promise<unknown> =>
    loaded().catch((error: unknown) => {
      forget()
      throw error
    })
  return (props) => {
    const Code = use(loaded())
    return <Code {...props} />
  }
}

type BoundsProps = {
  /** Each address is a new try: what did not come for one is no reason to show nothing for the next. */
  readonly path: string
  readonly children: ReactNode
  readonly instead: (again: Again) => ReactNode
}
type BoundsState = { readonly path: string; readonly failed: unknown }

/** A class, because React has no other way to catch the errors of a page. */
class Bounds extends Component<BoundsProps, BoundsState> {
  override state: BoundsState = { path: this.props.path, failed: null }

  static getDerivedStateFromError(failed: unknown): Partial<BoundsState> {
    return { failed }
  }

  static getDerivedStateFromProps({ path }: BoundsProps, state: BoundsState): BoundsState | null {
    return path === state.path ? null : { path, failed: null }
  }

  override componentDidCatch(failed: unknown): void {
    if (failed instanceof NotLoaded) failed.forget()
  }

  #again = async (): Promise<boolean> => {
    const { failed } = this.state
    if (!(failed instanceof NotLoaded)) return false
    try {
      await failed.again()
    } catch {
      return false
    }
    this.setState((now) => (now.failed === failed ? { failed: null } : null))
    return true
  }

  override render(): ReactNode {
    return this.state.failed === null ? this.props.children : this.props.instead(this.#again)
  }
}
