// Labels that an item's owner may change at any time; they are never hashed.
import { type Problem, problem } from '../../kernel/refusal.ts'

export const MAX_TAGS = 20
export const MAX_TAG_LENGTH = 64

/** At most 20 tags of 1 to 64 characters, no duplicates, nothing that is no text in the database. Lengths count code points. */
export function checkTags(tags: readonly string[]): Problem[] {
  const wrong = (detail: string, index?: number): Problem =>
    problem('invalid_attribute', { path: ['tags', ...(index === undefined ? [] : [String(index)])], detail })
  const many = tags.length > MAX_TAGS ? [wrong(`has at most ${MAX_TAGS} tags`)] : []
  const each = tags.flatMap((tag, index) => {
    const length = [...tag].length
    if (length < 1 || length > MAX_TAG_LENGTH)
      return [wrong(`a tag has 1 to ${MAX_TAG_LENGTH} characters`, index)]
    if (!tag.isWellFormed()) return [wrong('a tag cannot contain half a surrogate pair', index)]
    if (tag.includes('\0')) return [wrong('a tag cannot contain U+0000', index)]
    if (tags.indexOf(tag) !== index) return [wrong('this tag is there twice', index)]
    return []
  })
  return [...many, ...each]
}
