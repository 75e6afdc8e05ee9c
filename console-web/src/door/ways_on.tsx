// What leads on from the front door: how to get a key, and where the service describes itself to developers.
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { Command, CopyButton } from '../ui/copy_button.tsx'

export const GetAKey = () => (
  <section className="door-part" aria-labelledby="get-a-key">
    <h2 id="get-a-key">How to get a key</h2>
    <div className="door-ways">
      <div className="stack">
        <h3>Somebody else runs this service</h3>
        <p className="soft">
          Ask them for a key. Where the service is installed, they type this; it shows the key once:
        </p>
        <Command text="npm run pharos -- user create --email you@example.com" />
      </div>
      <div className="stack">
        <h3>You run it on this machine</h3>
        <p className="soft">
          Its first start shows a key and a link that signs in: in the terminal, or, where there is none, in{' '}
          <code>first-start.txt</code> in the folder <code>.data</code>. For another key:
        </p>
        <Command text="npm run pharos -- key create --email owner@localhost.local" />
      </div>
    </div>
  </section>
)

export const Documents = () => {
  const tools = `${window.location.origin}/mcp`
  return (
    <section className="door-part" aria-labelledby="documents">
      <h2 id="documents">Documentation</h2>
      <dl className="door-documents">
        <Document name={<a href="/docs">Articles</a>}>
          what it does and how to use it, from a <a href="/docs/quick-start">quick start</a> on
        </Document>
        <Document name={<a href="/docs/command-line">Command line</a>}>
          one file that stamps and verifies, for shells, scripts and CI
        </Document>
        <Document name={<a href="/api/json/redoc">API reference</a>}>
          every resource, field and error
        </Document>
        <Document name={<a href="/api/json/swaggerui">API explorer</a>}>
          requests tried in the browser
        </Document>
        <Document name={<Link to="/graphiql">GraphQL</Link>}>queries and their schema, with a key</Document>
        <div>
          <dt className="field-code">
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

const Document = ({ name, children }: { name: ReactNode; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)
