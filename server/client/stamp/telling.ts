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

export interface Stamped {
  /** The evidence file or the manifest. */
  readonly place: string
  readonly itemId: string
  /** How many files it is about. */
  readonly files: number
  /** False when it was there already. */
  readonly isNew: boolean
}

export class Telling {
  readonly #surroundings: Surroundings
  readonly #service: Service
  readonly #isJson: boolean
  readonly #stamped: Stamped[] = []
  /** By the places of the evidence, for which somebody has waited. */
  readonly #states = new Map<string, State>()

  /** Something was accepted of which there is no evidence. */
  #isLost = false

  constructor(surroundings: Surroundings, service: Service, isJson: boolean) {
    this.#surroundings = surroundings
    this.#service = service
    this.#isJson = isJson
  }

  get stamped(): readonly Stamped[] {
    return this.#stamped
  }

  accepted(stamped: Stamped): void {
    this.#stamped.push(stamped)
    const { place, itemId, files, isNew } = stamped
    if (this.#isJson || place === STDOUT) return
    const whose = isNew ? 'the receipt of' : 'is there already, of'
    this.#say(`${printable(place)}  ${whose} ${plural(files, 'file')}, accepted ${shownTime(itemId)}`)
  }

  waited(place: string, tried: FillOutcome): void {
    const state = tried.kind !== 'not_yet' ? 'committed' : tried.isInBlock ? 'block' : 'receipt'
    this.#states.set(place, state)
    if (!this.#isJson) this.#say(`${printable(place)}  ${WORDS[state]}`)
  }

  /** What could not be done, with what was done all the same. */
  unfinished({ message, advice, exitCode }: Complaint): Complaint {
    const { terminal } = this.#surroundings
    if (this.#isJson && this.#stamped.length > 0) sayDocument(terminal, this.#document())
    const rest = this.#stamped.length === 0 ? 'Nothing was stamped.' : 'Nothing else was stamped.'
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
    if (this.#stamped.some(({ isNew }) => isNew) && !isSignedIn(this.#service))
      terminal.note('It belongs to nobody, and there is no other copy: keep the evidence.')
    const proven = this.#stamped.find(({ place }) => this.#states.get(place) === 'committed')
    if (proven !== undefined && keyring !== undefined) {
      terminal.note(
        'To verify it on another computer, without a network, take the keys of the service along:',
      )
      terminal.note(`  ${self} verify ${quoted(proven.place)} --offline --keyring ${quoted(keyring)}`)
    }
    const [first, ...more] = this.#stamped.filter(({ place }) => this.#states.get(place) !== 'committed')
    if (first === undefined) return
    const place = first.place === STDOUT ? '<evidence>' : quoted(first.place)
    terminal.note(
      'It is accepted and signed, and its proof comes with the next commitment to a public chain. Then:',
    )
    terminal.note(`  ${self} upgrade ${place}${more.length === 0 ? '' : ' …'} --wait`)
  }

  #document(): object {
    const stamped = this.#stamped.map(({ place, itemId, files, isNew }) => ({
      evidence: place,
      item_id: itemId,
      files,
      is_new: isNew,
      state: this.#states.get(place) ?? 'receipt',
    }))
    return { service: this.#service.url.origin, stamped }
  }

  #say(line: string): void {
    this.#surroundings.terminal.say(line)
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
