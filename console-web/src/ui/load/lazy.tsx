// Pages and parts of pages whose code is loaded when they are shown first. Each stands within bounds of its own, so that what
// does not come, or fails, takes nothing else away. `React.lazy` keeps a load that failed for as long as the document lives;
// here it is asked for again.
import { Component, type ComponentType, type ReactNode, useEffect, useLayoutEffect, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { Store, useStore } from '../../data/store.ts'
import { watchWake } from '../../data/stream/wake.ts'
import { Button } from '../button.tsx'
import { Lighthouse } from '../lighthouse.tsx'
import { reachable } from './reachable.ts'

type Load<Props> = () => Promise<ComponentType<Props>>

export const lazyPage = <Props extends object>(load: Load<Props>): ComponentType<Props> =>
  lazyCode(load, PageNotLoaded, () => <main className="quiet-page" aria-busy="true" />)

/**
 * A part of a page. The page works without it.
 * @param Meanwhile is shown while the part loads
 */
export const lazyPart = <Props extends object>(
  load: Load<Props>,
  Meanwhile: ComponentType<Props> = () => null,
): ComponentType<Props> => lazyCode(load, PartNotLoaded, Meanwhile)

const lazyCode = <Props extends object>(
  load: Load<Props>,
  Instead: BoundsProps['Instead'],
  Meanwhile: ComponentType<Props>,
): ComponentType<Props> => {
  const code = new Store<ComponentType<Props> | null>(null)
  let coming: Promise<ComponentType<Props>> | null = null
  const bring = async (): Promise<boolean> => {
    coming ??= load()
    try {
      code.write(await coming)
    } catch {
      coming = null
    }
    return code.read() !== null
  }
  return (props) => {
    const [path] = useLocation()
    const Loaded = useStore(code)
    const [missedAt, setMissedAt] = useState<string | null>(null)
    // Each address is a new try: what did not come for one is no reason to show nothing for the next.
    useLayoutEffect(() => {
      void bring().then((came) => came || setMissedAt(path))
    }, [path])
    if (Loaded === null) return missedAt === path ? <Instead again={bring} /> : <Meanwhile {...props} />
    return (
      <Bounds path={path} Instead={Instead}>
        <Loaded {...props} />
      </Bounds>
    )
  }
}

type BoundsProps = {
  /** What failed at one address is shown again at the next. */
  readonly path: string
  readonly children: ReactNode
  readonly Instead: ComponentType<{ readonly again: Again }>
}
type BoundsState = { readonly path: string; readonly isFailed: boolean }

/** A class, because React has no other way to catch the errors of a page. */
class Bounds extends Component<BoundsProps, BoundsState> {
  override state: BoundsState = { path: this.props.path, isFailed: false }

  static getDerivedStateFromError(): Partial<BoundsState> {
    return { isFailed: true }
  }

  static getDerivedStateFromProps({ path }: BoundsProps, state: BoundsState): BoundsState | null {
    return path === state.path ? null : { path, isFailed: false }
  }

  override render(): ReactNode {
    const { children, Instead } = this.props
    return this.state.isFailed ? <Instead again={neverComes} /> : children
  }
}

/** The code is here, and fails. */
const neverComes: Again = () => Promise.resolve(false)

/** Answers whether the code came this time. */
type Again = () => Promise<boolean>

const PartNotLoaded = ({ again }: { again: Again }) => {
  useTries(again)
  return <p className="soft">This part did not load. It comes when the service answers again.</p>
}

const PageNotLoaded = ({ again }: { again: Again }) => {
  const [path] = useLocation()
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
      <Button look="primary" onClick={loadAgain}>
        Load again
      </Button>
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
    const unwatch = watchWake(tryAgain, tryAgain)
    return () => {
      clearInterval(timer)
      unwatch()
    }
  }, [again])
}
