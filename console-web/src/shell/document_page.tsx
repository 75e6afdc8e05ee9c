// The frame of a page about one thing: while it loads, when it does not exist, and around it when it is
// there.
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { Loaded } from '../data/use_document.ts'
import { Button } from '../ui/button.tsx'
import { Lighthouse } from '../ui/lighthouse.tsx'

type DocumentPageProps<T> = {
  /** The kind of thing, such as `Item`. */
  readonly what: string
  readonly id: string
  readonly loaded: Loaded<T> & { readonly again: () => void }
  /** Why a thing of this kind may not exist. */
  readonly missing: string
  readonly children: (value: T) => ReactNode
}

export const DocumentPage = <T,>({ what, id, loaded, missing, children }: DocumentPageProps<T>) =>
  loaded.kind === 'found' ? (
    <main key="found" className="plain-page">
      {children(loaded.value)}
    </main>
  ) : (
    <main key="not" className="quiet-page" aria-busy={loaded.kind === 'loading'} data-testid={loaded.kind}>
      <title>{`${what} · Pharos`}</title>
      <Lighthouse />
      {loaded.kind === 'loading' ? (
        <p>{loaded.why ?? 'Looking for it…'}</p>
      ) : (
        <>
          <h1>{loaded.kind === 'missing' ? 'There is nothing here' : 'It could not be read'}</h1>
          <p>
            <code>{id}</code>
          </p>
          <p>{loaded.kind === 'missing' ? missing : loaded.why}</p>
          {loaded.kind === 'failed' && (
            <Button look="primary" onClick={loaded.again}>
              Try again
            </Button>
          )}
          <Link to="/" className="button">
            Back to the first page
          </Link>
        </>
      )}
    </main>
  )
