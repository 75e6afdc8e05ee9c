// How far an item, an observation or a block is, as a pill.
import { listOf, or, shape, textOrNull } from '../data/shape.ts'
import { useDocument } from '../data/use_document.ts'
import { Pill } from '../ui/pill.tsx'
import { chainName } from './epoch.ts'
import { blockWords, type ProofStage, stageWords } from './proof_stage.ts'

type StagePillProps = {
  readonly stage: ProofStage
  readonly chain?: string
  readonly isBlock?: boolean
  readonly testId?: string
}

/** `chain` is the one that carries it, where that was read. Otherwise the one that usually does is named. */
export const StagePill = ({ stage, chain, isBlock = false, testId }: StagePillProps) => {
  const usual = useUsualChain()
  return (
    <Pill tone={TONES[stage]} data-testid={testId}>
      {(isBlock ? blockWords : stageWords)(stage, chain ?? usual)}
    </Pill>
  )
}

const TONES = { no_block: 'busy', waiting: 'busy', ready: 'good', gone: 'warn' } as const

const readChains = shape({
  chains: listOf(shape({ chain: or(textOrNull, ''), network: textOrNull, confirmedAt: textOrNull })),
})

/** Undefined while the service has confirmed nothing, and until that is known. A new series begins with all blocks. */
export const useUsualChain = (): string | undefined => {
  const ready = useDocument('/health/ready', { read: readChains })
  const chains = ready.kind === 'found' ? ready.value.chains : []
  const [only, ...others] = chains.filter(({ confirmedAt }) => confirmedAt !== null)
  return others.length > 0 ? 'a public chain' : only && chainName(only)
}
