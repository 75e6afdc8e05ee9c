// A page with its name at its head, and what can be done there beside it.
import type { ReactNode } from 'react'

type PageHeadProps = {
  /** What it is a page of, such as "Item". */
  readonly kind?: ReactNode
  /** Beside that: in which state it is. */
  readonly state?: ReactNode
  readonly name: ReactNode
  /** Beside the name. */
  readonly act?: ReactNode
  /** Below the name. */
  readonly children?: ReactNode
}

export const PageHead = ({ kind, state, name, act, children }: PageHeadProps) => (
  <header className="page-head">
    <div>
      {kind !== undefined && (
        <p className="page-kind">
          {kind}
          {state}
        </p>
      )}
      <h1>{name}</h1>
      {children}
    </div>
    {act}
  </header>
)

type PlainPageProps = Omit<PageHeadProps, 'name'> & {
  /** In the window's title, and as the name unless there is another. */
  readonly title: string
  readonly name?: ReactNode
  readonly intro?: ReactNode
  /** The class of the room. */
  readonly className?: string
  readonly isBusy?: boolean
}

export const PlainPage = ({ title, intro, className, isBusy, children, ...head }: PlainPageProps) => (
  <main className={className === undefined ? 'plain-page' : `plain-page ${className}`} aria-busy={isBusy}>
    <title>{`${title} · Pharos`}</title>
    <PageHead name={title} {...head}>
      {intro !== undefined && <p>{intro}</p>}
    </PageHead>
    {children}
  </main>
)
