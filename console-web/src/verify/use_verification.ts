// The state of the verifier: the given proof, the keyrings, the expected digest, and the report.
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { KeyringRejected, type NamedKeyring, readKeyring } from '../../../shared/proof/verify/keyring.ts'
import { takeHanded } from '../proofs/handed_over.ts'
import { fetchOwnKeyring } from '../proofs/own_keyring.ts'
import { type GivenProof, readGiven, readProof, whyNot } from './given_proof.ts'
import { type GivenDigest, NO_DIGESTS, type Verified, verifyGiven } from './verify_given.ts'

export type Verification = {
  readonly given: GivenProof | null
  /** The file that was given together with the proof. */
  readonly file: File | null
  readonly take: (name: string, given: string | Uint8Array) => void
  /** A proof, and the file that it is about, in any order. */
  readonly takeFiles: (files: readonly File[]) => void
  readonly clear: () => void
  /** The service's own keyring comes first. Null while it is loading. */
  readonly keyrings: readonly NamedKeyring[] | null
  readonly addKeyring: (file: File) => void
  readonly removeKeyring: (name: string) => void
  readonly keyringFailure: string | null
  readonly digests: readonly GivenDigest[]
  readonly setDigests: (digests: readonly GivenDigest[]) => void
  /** Of Bitcoin blocks by their heights, in lowercase. */
  readonly merkleRoots: ReadonlyMap<number, string>
  /** Blank text takes it away. */
  readonly setMerkleRoot: (height: number, text: string) => void
  /** Null until there is a report. */
  readonly verified: Verified | null
}

type Taken = { readonly given: GivenProof | null; readonly file: File | null }

const NO_ROOTS: ReadonlyMap<number, string> = new Map()
const NOTHING: Taken = { given: null, file: null }

export const useVerification = (): Verification => {
  const [{ given, file }, setTaken] = useState<Taken>(NOTHING)
  const [own, setOwn] = useState<NamedKeyring | null>(null)
  const [added, setAdded] = useState<readonly NamedKeyring[]>([])
  const [keyringFailure, setKeyringFailure] = useState<string | null>(null)
  const [digests, setDigests] = useState(NO_DIGESTS)
  const [merkleRoots, setMerkleRoots] = useState(NO_ROOTS)
  const [verified, setVerified] = useState<Verified | null>(null)
  const keyrings = useMemo(() => (own === null ? null : [own, ...added]), [own, added])
  const reading = useRef<AbortController | null>(null)

  useEffect(() => {
    const lifetime = new AbortController()
    void fetchOwnKeyring(lifetime.signal).then((found) => lifetime.signal.aborted || setOwn(found))
    return () => lifetime.abort()
  }, [])

  const show = useCallback((next: Taken): void => {
    setTaken(next)
    setDigests(NO_DIGESTS)
    setMerkleRoots(NO_ROOTS)
    setVerified(null)
  }, [])
  const takeFiles = useCallback(
    (files: readonly File[]): void => {
      reading.current?.abort()
      const lifetime = new AbortController()
      reading.current = lifetime
      const { signal } = lifetime
      const onProgress = (next: GivenProof): void => {
        if (!signal.aborted) show({ given: next, file: null })
      }
      void readFirst(files.slice(0, MOST_FILES), signal, onProgress).then(
        (taken) => signal.aborted || show(taken),
      )
    },
    [show],
  )
  useEffect(() => () => reading.current?.abort(), [])
  const take = useCallback(
    (name: string, source: string | Uint8Array): void =>
      takeFiles([new File([typeof source === 'string' ? source : Uint8Array.from(source)], name)]),
    [takeFiles],
  )
  useEffect(() => {
    const handed = takeHanded()
    if (handed !== null) take(handed.name, handed.bytes)
  }, [take])

  useEffect(() => {
    const proof = readProof(given)
    if (proof === null || keyrings === null) return
    const lifetime = new AbortController()
    const { signal } = lifetime
    // A large manifest is read again for each file, and until then nothing is known of that file.
    if (proof.kind === 'evidence' && proof.manifest !== undefined) setVerified(null)
    void verifyGiven(proof, { keyrings, digests, merkleRoots, signal }).then(
      (next) => signal.aborted || setVerified(next),
      (error: unknown) =>
        signal.aborted ||
        show({ given: { kind: 'unreadable', name: proof.name, why: whyNot(error) }, file: null }),
    )
    return () => lifetime.abort()
  }, [given, keyrings, digests, merkleRoots, show])

  const addKeyring = async (added: File): Promise<void> => {
    try {
      const keyring: NamedKeyring = { name: added.name, keys: readKeyring(await added.text()) }
      setAdded((all) => [...all.filter(({ name }) => name !== added.name), keyring])
      setKeyringFailure(null)
    } catch (error) {
      if (!(error instanceof KeyringRejected)) throw error
      setKeyringFailure(`${added.name} is not a keyring: ${error.message}.`)
    }
  }
  return {
    given,
    file,
    take,
    takeFiles,
    clear: () => {
      reading.current?.abort()
      show(NOTHING)
    },
    keyrings,
    addKeyring: (added) => void addKeyring(added),
    removeKeyring: (gone) => setAdded((all) => all.filter(({ name }) => name !== gone)),
    keyringFailure,
    digests,
    setDigests,
    merkleRoots,
    setMerkleRoot: (height, text) => {
      const entered = text.trim().toLowerCase()
      setMerkleRoots((all) => {
        const others = [...all].filter(([other]) => other !== height)
        return new Map(entered === '' ? others : [...others, [height, entered]])
      })
    },
    verified,
  }
}

/** A proof, and the file that it is about. */
const MOST_FILES = 2

/** The first that is a proof, beside the other one. When none is, why the first is none. */
const readFirst = async (
  files: readonly File[],
  signal: AbortSignal,
  onProgress: (next: GivenProof) => void,
): Promise<Taken> => {
  let first: GivenProof | null = null
  for (const one of files) {
    const { name } = one
    const onEntries = (entries: number): void => onProgress({ kind: 'reading', name, entries })
    const given = await readGiven(one, { signal, onEntries })
    if (given.kind !== 'unreadable') return { given, file: files.find((other) => other !== one) ?? null }
    first ??= given
  }
  return { given: first, file: null }
}
