// Chooses what the screen shows: the pages of somebody who is signed in, or what is shown without a key.
import { Router } from 'wouter'
import { stepTo } from './data/address.ts'
import { useStore } from './data/store.ts'
import { PassingPage } from './pages/passing_page.tsx'
import { session } from './session/session.ts'
import { DropAnywhere } from './stamp/drop_anywhere.tsx'
import { Button } from './ui/button.tsx'
import { lazyPage } from './ui/load/lazy.tsx'

/** The first page comes along where it is asked for, so that it does not wait for the rest. */
const Inside = lazyPage(async () => {
  // When it does not come, that shows where it is shown.
  if (window.location.pathname === '/') import('./pages/now_page.tsx').catch(() => undefined)
  return (await import('./inside.tsx')).Inside
})
const Doorway = lazyPage(async () => (await import('./doorway.tsx')).Doorway)

/** Rendered with the visit as React key, so that nothing read in one visit is kept for the next. */
export const App = () => {
  const state = useStore(session.state)
  return (
    <Router aroundNav={stepTo}>
      {state.kind === 'passing' ? (
        <PassingPage to={state.to} />
      ) : state.kind === 'signed_in' ? (
        <Inside key={state.visit} by={state.by} />
      ) : (
        <Doorway />
      )}
      <LeftNote />
      <DropAnywhere isSignedIn={state.kind === 'signed_in'} />
    </Router>
  )
}

/** After a sign-out, for a few seconds: takes it back. */
const LeftNote = () => {
  const undo = useStore(session.undo)
  if (undo === null) return null
  return (
    <div className="over low-note" role="status">
      <span>You are signed out.</span>
      {/* The menu that the focus was in is gone. */}
      <Button autoFocus onClick={undo} data-testid="undo-sign-out">
        Undo
      </Button>
    </div>
  )
}
