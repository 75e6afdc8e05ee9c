// Pages and parts of pages whose code is loaded when they are shown first. Each stands within bounds of its own: the page
// before it is gone at once, and what does not come takes nothing else away. `React.lazy` keeps a load that failed for as
// long as the document lives; here it is asked for again.
import { Component, type ComponentType, type ReactNode, Suspense, use, useEffect, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { Button } from '../button.tsx'
import { Lighthouse } from '../lighthouse.tsx'
import { reachable } from './reachable.ts'

type Load<Props> = () => Promise<ComponentType<Props>>

export const lazyPage = <Props extends object>(load: Load<Props>): ComponentType<Props> =>
  lazyCode(load, PageNotLoaded, () => <main className="quiet-page" aria-busy="true" />)

/**
 * A part of a page. The page works without it.
 * @param Meanwhile is shown while the part loads
 */
export const lazyPart = <Props extends object>(
  load: Load<Props>,
  Meanwhile: ComponentType<Props> = () => null,
): ComponentType<Props> => lazyCode(load, PartNotLoaded, Meanwhile)

/** Thrown where code that did not come would be shown. */
class NotLoaded extends Error {
  /** Who shows it next loads it again. */
  readonly forget: () => void
  /** Loads it again, once it is forgotten. Rejects when it does not come this time either. */
  readonly load: () => Promise<unknown>

  constructor(cause: unknown, forget: () => void, load: () => Promise<unknown>) {
    super('The code of a page or of a part did not load.', { cause })
    this.forget = forget
    this.load = load
  }
}

const lazyCode = <Props extends object>(
  load: Load<Props>,
  Instead: BoundsProps['Instead'],
  Meanwhile: ComponentType<Props>,
): ComponentType<Props> => {
  let code: Promise<ComponentType<Props>> | null = null
  const loaded = (): Promise<ComponentType<Props>> => {
    code ??= load().catch((cause: unknown) => {
      throw new NotLoaded(cause, forget, loaded)
    })
    return code
  }
  // Not as soon as it fails: React asks for the component anew just then, and would load for as long as loading fails.
  const forget = (): void => {
    code = null
  }
  const Code = (props: Props) => {
    const Loaded = use(loaded())
    return <Loaded {...props} />
  }
  return (props) => {
    const [path] = useLocation()
    return (
      <Bounds path={path} Instead={Instead}>
        <Suspense fallback={<Meanwhile {...props} />}>
          <Code {...props} />
        </Suspense>
      </Bounds>
    )
  }
}

type BoundsProps = {
  /** Each address is a new try: what did not come for one is no reason to show nothing for the next. */
  readonly path: string
  readonly children: ReactNode
  readonly Instead: ComponentType<{ readonly again: Again }>
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
      await failed.load()
    } catch {
      failed.forget()
      return false
    }
    this.setState((now) => (now.failed === failed ? { failed: null } : null))
    return true
  }

  override render(): ReactNode {
    const { children, Instead } = this.props
    return this.state.failed === null ? children : <Instead again={this.#again} />
  }
}

/** Answers whether the code came this time. */
type Again = () => Promise<boolean>

const PartNotLoaded = ({ again }: { again: Again }) => {
  useTries(again)
  return <p className="soft">This part did not load. It comes when the service answers again.</p>
}

const PageNotLoaded = ({ again }: { again: Again }) => {
  const [path] = useLocation()
  const [isSilent, setSilent] = useState(false)
  useTries(again)
  const loadAgain = async (): Promise<void> => {
    if (await again()) return
    // A newer service has other code, which only a new document asks for. Without a service there would be no document.
    if (await reachable()) window.location.reload()
    else setSilent(true)
  }
  return (
    <main className="quiet-page">
      <title>Pharos</title>
      <Lighthouse />
      <h1>This page did not load</h1>
      <p>
        The service cannot be reached, or it was replaced by a newer one since this tab was opened. The page
        comes by itself when the service answers.
      </p>
      <Button look="primary" onClick={loadAgain}>
        Load again
      </Button>
      {isSilent && <p role="status">The service does not answer yet.</p>}
      {path !== '/' && <Link to="/">Back to the first page</Link>}
    </main>
  )
}

const TRY_EVERY_MS = 4_000

/** Tries again by itself while somebody looks, and at once when the network is back. */
const useTries = (again: Again): void => {
  useEffect(() => {
    const tryAgain = (): void => {
      if (document.visibilityState === 'visible') void again()
    }
    const timer = setInterval(tryAgain, TRY_EVERY_MS)
    window.addEventListener('online', tryAgain)
    document.addEventListener('visibilitychange', tryAgain)
    return () => {
      clearInterval(timer)
      window.removeEventListener('online', tryAgain)
      document.removeEventListener('visibilitychange', tryAgain)
    }
  }, [again])
}
