// Shown for the moment between two pages: while the service signs somebody in or out.
import './pages.css'
import { Lighthouse } from '../ui/lighthouse.tsx'

export const PassingPage = ({ to }: { to: 'in' | 'out' }) => (
  <main className="quiet-page passing" aria-busy="true" data-testid="passing">
    <title>Pharos</title>
    <Lighthouse />
    <p role="status">{to === 'in' ? 'Signing you in…' : 'Signing you out…'}</p>
  </main>
)
