// Says what `pharos stamp` has done, and what to type next.
import type { Surroundings } from '../../../shared/cli/command.ts'
import { Complaint, plural, printable, sayDocument } from '../../../shared/cli/terminal.ts'
import { ulidTime } from '../../../shared/proof/ids.ts'
import { utcSeconds } from '../../../shared/proof/verify/carried_values.ts'
import type { Service } from '../ask/ask_service.ts'
import { quoted } from '../files.ts'
import { isSignedIn } from './accept.ts'
import type { FillOutcome } from './fill_receipt.ts'
import { STDOUT } from './places.ts'

/** `receipt`: accepted, and no more is known of it here. */
type State = 'receipt' | 'block' | 'committed'

/** As JSON shows it. */
export interface Stamped {
  /** The place of the evidence file or the manifest. */
  readonly evidence: string
  readonly item_id: string
  /** How many files it is about. */
  readonly files: number
  /** False when it was there already. */
  readonly is_new: boolean
  /** What is known since somebody has waited for it. */
  state: State
}

export class Telling {
  readonly #surroundings: Surroundings
  readonly #service: Service
  readonly #isJson: boolean
  readonly stamped: Stamped[] = []
  /** Something was accepted of which there is no evidence. */
  #isLost = false

  constructor(surroundings: Surroundings, service: Service) {
    this.#surroundings = surroundings
    this.#service = service
    this.#isJson = surroundings.values.json === true
  }

  accepted(stamped: Omit<Stamped, 'state'>): void {
    this.stamped.push({ ...stamped, state: 'receipt' })
    const { evidence, item_id, files, is_new } = stamped
    if (this.#isJson || evidence === STDOUT) return
    const whose = is_new ? 'the receipt of' : 'is there already, of'
    this.#surroundings.terminal.say(
      `${printable(evidence)}  ${whose} ${plural(files, 'file')}, accepted ${shownTime(item_id)}`,
    )
  }

  waited(stamped: Stamped, tried: FillOutcome): void {
    stamped.state = tried.kind !== 'not_yet' ? 'committed' : tried.isInBlock ? 'block' : 'receipt'
    if (this.#isJson) return
    this.#surroundings.terminal.say(`${printable(stamped.evidence)}  ${WORDS[stamped.state]}`)
  }

  /** What could not be done, with what was done all the same. */
  unfinished({ message, advice, exitCode }: Complaint): Complaint {
    const { terminal } = this.#surroundings
    if (this.#isJson && this.stamped.length > 0) sayDocument(terminal, this.#document())
    const rest = this.stamped.length === 0 ? 'Nothing was stamped.' : 'Nothing else was stamped.'
    const told = this.#isLost ? message : `${sentence(message)} ${rest}`
    return new Complaint(told, { exitCode, advice })
  }

  /** Evidence that could not be written, of what the service has accepted. */
  unwritten(itemId: string, { message, advice, exitCode }: Complaint): Complaint {
    this.#isLost = true
    const rest = isSignedIn(this.#service)
      ? `Item ${itemId} was made all the same, and the same command goes on from there.`
      : 'It was accepted all the same, and that stamp is lost: the same command makes another.'
    return new Complaint(`${sentence(message)} ${rest}`, { exitCode, advice })
  }

  /**
   * What was done as JSON, and what is still to be done.
   * @param keyring the file with the keys of the service
   */
  end(keyring: string | undefined): void {
    const { terminal, self } = this.#surroundings
    if (this.#isJson) sayDocument(terminal, this.#document())
    if (this.stamped.some(({ is_new }) => is_new) && !isSignedIn(this.#service))
      terminal.note('It belongs to nobody, and there is no other copy: keep the evidence.')
    const proven = this.stamped.find(({ state }) => state === 'committed')
    if (proven !== undefined && keyring !== undefined) {
      terminal.note(
        'To verify it on another computer, without a network, take the keys of the service along:',
      )
      terminal.note(`  ${self} verify ${quoted(proven.evidence)} --offline --keyring ${quoted(keyring)}`)
    }
    const [first, ...more] = this.stamped.filter(({ state }) => state !== 'committed')
    if (first === undefined) return
    const place = first.evidence === STDOUT ? '<evidence>' : quoted(first.evidence)
    terminal.note(
      'It is accepted and signed, and its proof comes with the next commitment to a public chain. Then:',
    )
    terminal.note(`  ${self} upgrade ${place}${more.length === 0 ? '' : ' …'} --wait`)
  }

  #document(): object {
    return { service: this.#service.url.origin, stamped: this.stamped }
  }
}

/** What the system says ends without a stop. */
const sentence = (message: string): string => (/[.!?…]$/.test(message) ? message : `${message}.`)

const WORDS: Readonly<Record<State, string>> = {
  receipt: 'is in no block yet',
  block: 'is in a block, and on no public chain yet',
  committed: 'has its proof',
}

const shownTime = (itemId: string): string => utcSeconds(ulidTime(itemId)) ?? 'at no known time'
