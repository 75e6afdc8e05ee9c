// What is shown in place of code that did not come. It is asked for again until it comes.
import { useEffect, useState } from 'react'
import { Link } from 'wouter'
import { Lighthouse } from '../lighthouse.tsx'
import { reachable } from './reachable.ts'

/** Answers whether the code came this time. */
export type Again = () => Promise<boolean>

export const PartNotLoaded = ({ again }: { again: Again }) => {
  useTries(again)
  return <p className="drawer-note">This part did not load. It comes when the service answers again.</p>
}

export const PageNotLoaded = ({ path, again }: { path: string; again: Again }) => {
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
