// Around code that is loaded when it is needed. Shows nothing much while it loads, and a plain message when it does not
// come; then it is asked for again until it does.
import { Component, type ReactNode, Suspense, useEffect, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { NotLoaded } from './lazy_code.tsx'
import { Lighthouse } from './lighthouse.tsx'
import { reachable } from './reachable.ts'

export const LazyPage = ({ children }: { children: ReactNode }) => {
  const [path] = useLocation()
  return (
    <Fallback path={path} instead={(again) => <PageNotLoaded path={path} again={again} />}>
      <Suspense fallback={<main className="quiet-page" aria-busy="true" />}>{children}</Suspense>
    </Fallback>
  )
}

/** A part of a page. The page works without it. */
export const LazyPart = ({ children }: { children: ReactNode }) => (
  <Fallback path="" instead={(again) => <PartNotLoaded again={again} />}>
    <Suspense fallback={null}>{children}</Suspense>
  </Fallback>
)

/** Answers whether it came this time. */
type Again = () => Promise<boolean>

type FallbackProps = {
  /** Each address is a new try: what did not come for one is no reason to show nothing for the next. */
  readonly path: string
  readonly children: ReactNode
  readonly instead: (again: Again) => ReactNode
}
type FallbackState = { readonly path: string; readonly failed: unknown }

/** A class, because React has no other way to catch the errors of a page. */
class Fallback extends Component<FallbackProps, FallbackState> {
  override state: FallbackState = { path: this.props.path, failed: null }

  static getDerivedStateFromError(failed: unknown): Partial<FallbackState> {
    return { failed }
  }

  static getDerivedStateFromProps({ path }: FallbackProps, state: FallbackState): FallbackState | null {
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

const PartNotLoaded = ({ again }: { again: Again }) => {
  useTries(again)
  return <p className="drawer-note">This part did not load. It comes when the service answers again.</p>
}

const PageNotLoaded = ({ path, again }: { path: string; again: Again }) => {
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
      <button type="button" className="button primary" onClick={loadAgain}>
        Load again
      </button>
      {isSilent && <p role="status">The service does not answer yet.</p>}
      {path !== '/' && <Link to="/">Back to the first page</Link>}
    </main>
  )
}
