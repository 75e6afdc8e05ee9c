// The connection of this tab: how it is, how it was, what the service itself depends on, and what is left.
import { useChain } from '../chain/chain_context.ts'
import { BreakList, ConnectionFactList, LimitsLeft } from '../connection/connection_facts.tsx'
import { useConsole } from '../data/console_context.ts'
import { useStore } from '../data/store.ts'
import { OutsideWorld } from '../outside/outside_world.tsx'
import { Button } from '../ui/button.tsx'
import { PlainPage } from '../ui/plain_page.tsx'
import { Card } from '../ui/section.tsx'

export const ConnectionPage = () => {
  const { retryNow } = useChain()
  const { since } = useStore(useConsole().connection.facts)
  return (
    <PlainPage
      title="Connection"
      intro="Between this tab and the service. While you look at the page, it reconnects by itself within seconds."
      act={since === null && <Button onClick={retryNow}>Try now</Button>}
      className="connection-page"
    >
      <div className="side-by-side">
        <div className="side">
          <Card title="Now">
            <ConnectionFactList />
          </Card>
        </div>
        <div className="main-side">
          <Card title="Interruptions">
            <BreakList />
          </Card>
          <Card title="What the service depends on" className="outside-card">
            <OutsideWorld />
          </Card>
          <Card title="Limits">
            <LimitsLeft />
          </Card>
        </div>
      </div>
    </PlainPage>
  )
}
