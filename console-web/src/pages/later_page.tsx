// Keeps the place of a page that the console does not have yet, and says where the same thing can be read today.
import { HomeLink } from '../parts/home_link.tsx'
import { Lighthouse } from '../parts/lighthouse.tsx'

export const LaterPage = ({ what, id, api }: { what: string; id?: string; api: string }) => (
  <main className="quiet-page">
    <title>{`${what} · Pharos`}</title>
    <Lighthouse />
    <h1>{what}</h1>
    {id !== undefined && (
      <p>
        <code>{id}</code>
      </p>
    )}
    <p>
      This page is not part of the console yet. The service answers it at <code>{api}</code>.
    </p>
    <HomeLink className="button primary">Back to the beacons</HomeLink>
  </main>
)
