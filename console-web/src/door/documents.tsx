// Where the service describes itself to developers.
import './door.css'
import { Link } from 'wouter'
import { CopyButton } from '../ui/copy_button.tsx'

export const Documents = () => {
  const tools = `${window.location.origin}/mcp`
  return (
    <section className="door-part" aria-labelledby="documents">
      <h2 id="documents">Documentation</h2>
      <dl className="door-documents">
        <div>
          <dt>
            <a href="/docs">Articles</a>
          </dt>
          <dd>
            what it does and how to use it, from a <a href="/docs/quick-start">quick start</a> on
          </dd>
        </div>
        <div>
          <dt>
            <a href="/api/json/redoc">API reference</a>
          </dt>
          <dd>every resource, field and error</dd>
        </div>
        <div>
          <dt>
            <a href="/api/json/swaggerui">API explorer</a>
          </dt>
          <dd>requests tried in the browser</dd>
        </div>
        <div>
          <dt>
            <Link to="/graphiql">GraphQL</Link>
          </dt>
          <dd>queries and their schema, with a key</dd>
        </div>
        <div>
          <dt>
            Agents (MCP)
            <CopyButton text={tools} what="address of the tool server" />
          </dt>
          <dd>
            tools for language models, at <code>{tools}</code>
          </dd>
        </div>
      </dl>
    </section>
  )
}
