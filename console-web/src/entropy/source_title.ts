// What a source of entropy is called. Apart from what reads observations, because the first page needs no hashing for it.
import { ENTROPY_WORDS, isEntropyName } from '../../../shared/proof/entropy_names.ts'

/** For a source that this page does not have, its plain name. */
export const sourceTitle = (source: string): string =>
  isEntropyName(source) ? ENTROPY_WORDS[source].title : source
