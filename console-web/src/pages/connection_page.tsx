// The connection of this tab: how it is, how it was, what the service itself depends on, and what is left.
import { PlainPage } from '../ui/plain_page.tsx'
import './pages.css'
import { useChain } from '../chain/chain_context.ts'
import { BreakList, ConnectionFactList, LimitsLeft } from '../connection/connection_facts.tsx'
import { useConsole } from '../data/console_context.ts'
import { useStore } from '../data/store.ts'
import { OutsideWorld } from '../outside/outside_line.tsx'

export const ConnectionPage = () => {
  const { connection, clockOffset } = useConsole()
  const { retryNow } = useChain()
  const { breaks, since } = useStore(connection.facts)
  const offset = useStore(clockOffset)
  return (
    <PlainPage
      title="Connection"
      intro="Between this tab and the service. While you look at the page, it reconnects by itself within seconds."
      act={
        since === null && (
          <button type="button" className="button" onClick={retryNow}>
            Try now
          </button>
        )
      }
      className="connection-page"
    >
      <div className="side-by-side">
        <div className="side">
          <section className="card" aria-labelledby="connection-now">
            <h2 id="connection-now">Now</h2>
            <ConnectionFactList />
          </section>
        </div>
        <div className="main-side">
          <section className="card" aria-labelledby="connection-breaks">
            <h2 id="connection-breaks">Interruptions</h2>
            <BreakList breaks={breaks} offset={offset} />
          </section>
          <section className="card outside-card" aria-labelledby="connection-outside">
            <h2 id="connection-outside">What the service depends on</h2>
            <OutsideWorld />
          </section>
          <section className="card" aria-labelledby="connection-limits">
            <h2 id="connection-limits">Limits</h2>
            <LimitsLeft />
          </section>
        </div>
      </div>
    </PlainPage>
  )
}
