// The state of the verifier: the given proof, the file that it is about, the keyrings, and the report.
import { useCallback, useEffect, useMemo, useState } from 'react'
import { KeyringRejected, type NamedKeyring, readKeyring } from '../../../shared/proof/verify/keyring.ts'
import { handedOver, type ToCheck } from '../data/given_files.ts'
import { proofsAmong } from '../hashing/looks_like_proof.ts'
import { useFileHash } from '../hashing/use_file_hash.ts'
import { useWindowDrop } from '../hashing/window_drop.tsx'
import { fetchOwnKeyring, fetchOwnTrial } from '../proofs/own_keyring.ts'
import { readGiven, whyNot } from './given_proof.ts'
import type { Given, GivenProof, ReadProof, Verified } from './read_proof.ts'

export type Verification = ReturnType<typeof useVerification>

const NO_ROOTS: ReadonlyMap<number, string> = new Map()
const NO_FILES: ToCheck = { files: [] }

/** Of the file whose digest is compared, or of a digest in its place. */
type Compared = Pick<Given, 'digests'> & Pick<Verified, 'fileName'>
const NOTHING: Compared = { digests: [], fileName: null }

/** @param first where the page was given something already */
export const useVerification = (first = NO_FILES) => {
  const [taken, setTaken] = useState(first)
  const [given, setGiven] = useState<GivenProof | null>(null)
  /** The file that the proof is about. It may come before the proof. */
  const [file, setFile] = useState<File | null>(null)
  /** A digest in place of the file. */
  const [typed, setTyped] = useState('')
  /** Of Bitcoin blocks by their heights, in lowercase. */
  const [merkleRoots, setMerkleRoots] = useState(NO_ROOTS)
  const [verified, setVerified] = useState<Verified | null>(null)
  const keyrings = useKeyrings()

  const show = useCallback((next: GivenProof | null): void => {
    setGiven(next)
    setTyped('')
    setMerkleRoots(NO_ROOTS)
    setVerified(null)
  }, [])
  useEffect(() => {
    const lifetime = new AbortController()
    const { signal } = lifetime
    void readFirst(taken.files.slice(0, MOST_FILES), signal, show).then((read) => {
      if (signal.aborted) return
      show(read.given)
      const next = taken.about === undefined ? read.file : taken.about
      if (next !== null) setFile(next)
    })
    return () => lifetime.abort()
  }, [taken, show])
  const takeProof = (files: readonly File[]): void => setTaken({ files })
  /** A proof, the file that it is about, or both: told apart by what is in them. */
  const takeAny = async (files: readonly File[]): Promise<void> => {
    const proofs = await proofsAmong(files)
    const about = files.find((one) => !proofs.includes(one)) ?? null
    if (proofs.length > 0) setTaken({ files: proofs, about })
    else if (about !== null) setFile(about)
  }
  useEffect(() => {
    const handed = handedOver.read()
    handedOver.write(null)
    if (handed !== null) setTaken(handed)
  }, [])
  useWindowDrop({
    words: 'Check this proof',
    note: 'The proof, the file that it is about, or both. Nothing leaves this computer.',
    take: (transfer) => void takeAny([...transfer.files]),
  })

  const proof = given?.kind === 'read' ? given : null
  const question = proof?.question
  const types = question === undefined || question.kind === 'nothing' ? null : question.types
  /** Nothing before there is a proof, which says by which functions. */
  const hash = useFileHash(file, types)
  const compared = useMemo((): Compared => {
    if (hash.kind === 'done') return { digests: hash.digests, fileName: hash.file.name }
    if (file !== null || typed.trim() === '') return NOTHING
    return { digests: [{ hex: typed }], fileName: 'The file of this digest' }
  }, [hash, file, typed])

  const { keyrings: known, isTrial } = keyrings
  useEffect(() => {
    if (proof === null || known === null) return
    const lifetime = new AbortController()
    const { signal } = lifetime
    const { digests, fileName } = compared
    // A large manifest is read again for each file, and until then nothing is known of that file.
    if (proof.question?.kind === 'entry') setVerified(null)
    void proof.verify({ keyrings: known, digests, merkleRoots, isTrial, signal }).then(
      (found) => signal.aborted || setVerified({ ...found, proof, fileName }),
      (error: unknown) =>
        signal.aborted || show({ kind: 'unreadable', name: proof.name, why: whyNot(error) }),
    )
    return () => lifetime.abort()
  }, [proof, known, compared, merkleRoots, isTrial, show])

  return {
    ...keyrings,
    taken,
    given,
    /** Null until it is read, and when it is none. */
    proof,
    takeProof,
    takeAny,
    clear: () => {
      setTaken(NO_FILES)
      setFile(null)
    },
    file,
    hash,
    takeFile: setFile,
    typed,
    setTyped,
    merkleRoots,
    /** Blank text takes it away. */
    setMerkleRoot: (height: number, text: string): void => {
      const entered = text.trim().toLowerCase()
      setMerkleRoots((all) => {
        const others = [...all].filter(([other]) => other !== height)
        return new Map(entered === '' ? others : [...others, [height, entered]])
      })
    },
    verified,
  }
}

const useKeyrings = () => {
  const [own, setOwn] = useState<NamedKeyring | null>(null)
  const [added, setAdded] = useState<readonly NamedKeyring[]>([])
  const [keyringFailure, setKeyringFailure] = useState<string | null>(null)
  const [isTrial, setTrial] = useState(false)
  /** The service's own comes first. Null while it is loading. */
  const keyrings = useMemo(() => (own === null ? null : [own, ...added]), [own, added])
  useEffect(() => {
    const lifetime = new AbortController()
    void fetchOwnKeyring(lifetime.signal).then((found) => lifetime.signal.aborted || setOwn(found))
    void fetchOwnTrial(lifetime.signal)
      // Nothing is said of its chain then.
      .catch(() => false)
      .then((found) => lifetime.signal.aborted || setTrial(found))
    return () => lifetime.abort()
  }, [])
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
    keyrings,
    keyringFailure,
    isTrial,
    addKeyring: (file: File): void => void addKeyring(file),
    removeKeyring: (gone: string): void => setAdded((all) => all.filter(({ name }) => name !== gone)),
  }
}

/** A time stamp, the evidence of its token, and the file that it is about. */
const MOST_FILES = 3

/** The first that is a proof, with its other half, beside another file. When none is, why the first is none. */
const readFirst = async (
  files: readonly File[],
  signal: AbortSignal,
  show: (reading: GivenProof) => void,
) => {
  let why: GivenProof | null = null
  let found: ReadProof | null = null
  const others: File[] = []
  for (const file of files) {
    const given = await readGiven(file, signal, show)
    const proof = given.kind === 'read' ? given : null
    const next: ReadProof | null = found === null ? proof : proof && joined(found, proof)
    if (next === null) {
      others.push(file)
      why ??= given
    } else found = next
  }
  return { given: found ?? why, file: found === null ? null : (others[0] ?? null) }
}

/** A time stamp and the evidence of its token are one proof together. Null for two that belong not together. */
const joined = (one: ReadProof, other: ReadProof): ReadProof | null => {
  const evidence = one.ofToken ?? other.ofToken
  const withEvidence = one.withEvidence ?? other.withEvidence
  return (evidence && withEvidence?.(evidence)) ?? null
}
