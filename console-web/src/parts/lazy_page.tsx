// A page whose code is fetched when it is opened: a quiet moment while it comes, and a plain word when it cannot be had.
import { Component, type ReactNode, Suspense } from 'react'
import { HomeLink } from './home_link.tsx'
import { Lighthouse } from './lighthouse.tsx'

export const LazyPage = ({ children }: { children: ReactNode }) => (
  <Fallback>
    <Suspense fallback={<main className="quiet-page" aria-busy="true" />}>{children}</Suspense>
  </Fallback>
)

/** A class, because React lets nothing else catch what a page throws. */
class Fallback extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true }
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children
    return (
      <main className="quiet-page">
        <title>Pharos</title>
        <Lighthouse />
        <h1>This page did not load</h1>
        <p>The service cannot be reached, or it was replaced by a newer one since this tab was opened.</p>
        <button type="button" className="button primary" onClick={() => window.location.reload()}>
          Load again
        </button>
        <HomeLink>Back to the beacons</HomeLink>
      </main>
    )
  }
}
