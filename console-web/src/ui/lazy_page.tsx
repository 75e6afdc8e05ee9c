// Code that is loaded when it is needed. Shows nothing much while it loads, and a plain message when it
// cannot be loaded.
import { Component, type ReactNode, Suspense } from 'react'
import { Link } from 'wouter'
import { Lighthouse } from './lighthouse.tsx'

export const LazyPage = ({ children }: { children: ReactNode }) => (
  <Fallback instead={<PageNotLoaded />}>
    <Suspense fallback={<main className="quiet-page" aria-busy="true" />}>{children}</Suspense>
  </Fallback>
)

/** A part of a page. The page works without it. */
export const LazyPart = ({ children }: { children: ReactNode }) => (
  <Fallback instead={<p className="drawer-note">This part did not load. Load the page again to see it.</p>}>
    <Suspense fallback={null}>{children}</Suspense>
  </Fallback>
)

type FallbackProps = { readonly children: ReactNode; readonly instead: ReactNode }

/** A class, because React has no other way to catch the errors of a page. */
class Fallback extends Component<FallbackProps, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true }
  }

  override render(): ReactNode {
    return this.state.failed ? this.props.instead : this.props.children
  }
}

const PageNotLoaded = () => (
  <main className="quiet-page">
    <title>Pharos</title>
    <Lighthouse />
    <h1>This page did not load</h1>
    <p>The service cannot be reached, or it was replaced by a newer one since this tab was opened.</p>
    <button type="button" className="button primary" onClick={() => window.location.reload()}>
      Load again
    </button>
    <Link to="/">Back to the first page</Link>
  </main>
)
