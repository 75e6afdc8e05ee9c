// The page for an address that is no page of the console.
import { Link } from 'wouter'
import { Lighthouse } from '../ui/lighthouse.tsx'

export const NotFoundPage = () => (
  <main className="quiet-page">
    <title>Not found · Pharos</title>
    <Lighthouse />
    <h1>There is no such page</h1>
    <p>
      The console has no page at <code>{window.location.pathname}</code>. If a link brought you here, it may
      be cut short: a beacon’s address ends in 64 hex characters.
    </p>
    <Link to="/" className="button primary">
      Back to the first page
    </Link>
  </main>
)
